/** Session files on this machine, for the viewer: reading, live detection, writing with a backup, undo. */
export { readOnly } from './attributes.ts'
export { currentHost, stateFolder } from './host.ts'
export { liveSign } from './live.ts'
export { readSessionFile } from './read.ts'
export { listBackups } from './state.ts'
export { lastWrite, undoWrite, writePlan } from './write.ts'
