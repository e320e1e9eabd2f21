/** Text for a terminal and a shell. */
export { progress } from './progress.ts'
export { quoted, quotedPath } from './shell-quote.ts'
export {
  ageText,
  bytesText,
  escapeControls,
  grouped,
  oneLine,
  type Paint,
  paint,
  plural,
  printed,
  wantsColors,
} from './terminal.ts'
