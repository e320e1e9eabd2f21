/**
 * Keys of a part that say something about its data. Both spellings are read.
 */
/** Keys beside a part's data: alone they are no part at all. */
export const MARKS: readonly string[] = bothCases([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
  'mediaProcessing',
  'speechMetadata',
])

/** Names in camel case, and the same in snake case. */
function bothCases(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())])
}
