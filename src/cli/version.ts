/** The version of the package, so that the command line starts without reading a file. A test compares it with package.json. */
export const VERSION = '0.1.0'
