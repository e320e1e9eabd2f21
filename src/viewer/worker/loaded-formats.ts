/**
 * The session-file formats that the page has loaded so far. In the build, this module replaces the list of all formats.
 */
import type { SessionFormat } from '../../session-files/types.ts'

export const formats: SessionFormat[] = []
