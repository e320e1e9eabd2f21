/**
 * The short turns that repairs put in where a provider wants one. Constant: the same history must give the same bytes.
 */
export const OPENING = '(The conversation begins here.)'
export const GO_ON = 'Continue.'
export const BRIDGE = 'Understood.'
