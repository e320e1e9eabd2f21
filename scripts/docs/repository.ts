/**
 * The repository is named in package.json alone. Pages that must name it, since their readers copy the line, get it from
 * there.
 */
export const PAGES_WITH_REPOSITORY = ['docs/recipes/ci.md'] as const

/** `repository`: as in package.json, `github:OWNER/NAME`. */
export function withRepository(page: string, repository: string): string {
  const name = repository.replace('github:', '')
  return page
    .replaceAll(/^(- uses: )[\w.-]+\/[\w.-]+(?=@)/gm, `$1${name}`)
    .replaceAll(/^(- repo: https:\/\/github\.com\/)\S+$/gm, `$1${name}`)
}
