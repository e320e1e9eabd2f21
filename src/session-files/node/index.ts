/**
 * Session files on this machine: finding, reading, live detection, writing with backup, undo. The formats themselves are pure and in the folder above.
 */
export { cannotReplace } from './attributes.ts'
export { type Compression, cannotCompress, compress, compressionOf, decompress } from './compression.ts'
export { type FoundFile, findFiles, hasSessionId, type SearchRoot, searchRoots } from './find.ts'
export { globToRegExp, isGlob, splitGlob } from './glob.ts'
export { cacheFolder, currentHost, stateFolder } from './host.ts'
export { type LiveOptions, type LiveSign, liveSign } from './live.ts'
export { OpenHandles } from './open-handles.ts'
export { type FileOnDisk, type FileStamp, LARGEST_FILE, readSessionFile, stampOf } from './read.ts'
export { type BackupEntry, backupBytes, KEPT_DAYS, listBackups, quarantineLines } from './state.ts'
export { type Walked, type WalkOptions, walk } from './walk.ts'
export { lastWrite, type Undone, undoWrite, type WriteOptions, writePlan } from './write.ts'
