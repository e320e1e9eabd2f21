/**
 * The session-file formats that the page has loaded so far. The build puts this in the place of the list of all formats.
 */
import type { SessionFormat } from '../../session-files/types.ts'

export const formats: SessionFormat[] = []
