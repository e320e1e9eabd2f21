/**
 * Skipped tests name their reason: it is in the title, and the reporter prints it at the end of a run.
 */

/** A title that names the reason for which its tests are skipped, if there is one. */
export function skippable(title: string, why: string | false | undefined): string {
  return why ? `${title} (skipped: ${why})` : title
}

/** The reason that a title names. */
export function reasonIn(title: string): string | undefined {
  return /\bskipped: (.*?)\)?(?: > |$)/i.exec(title)?.[1]
}
