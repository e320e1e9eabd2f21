/** The version of the package; a constant, so that no file is read. A test compares it with package.json. */
export const VERSION = '0.1.0'
