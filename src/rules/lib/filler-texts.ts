/** Short turns that repairs insert where a provider wants one. Constant: the same history must give the same bytes. */
export const OPENING = '(The conversation begins here.)'
export const CONTINUE = 'Continue.'
export const BRIDGE = 'Understood.'
export const INTERRUPTED = '[The answer was interrupted here.]'
