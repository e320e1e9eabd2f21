/** Writes the API reference: a page for each entry point of the package, from types and comments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application } from 'typedoc'

/** Sources of the entry points, by the name that an import has. */
export function entryPointsOf(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([name, { types }]) => [`suture${name.slice(1)}`, types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts')])
}

export async function writeApi(root, target) {
  const entryPoints = entryPointsOf(root)
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entryPoints.map(([, file]) => join(root, file)),
    tsconfig: join(root, 'tsconfig.json'),
    basePath: root,
    plugin: ['typedoc-plugin-markdown'],
    out: target,
    name: 'API reference',
    readme: 'none',
    logLevel: 'Error',
    skipErrorChecking: true,
    excludePrivate: true,
    disableSources: true,
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
  })
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the entry points.')
  for (const child of project.children ?? []) child.name = nameOf(child, entryPoints)
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors.')
  return entryPoints.length
}

/** TypeDoc names a module by its file. */
function nameOf({ name }, entryPoints) {
  const found = entryPoints.find(
    ([, file]) => file.replace(/\.ts$/, '') === name || file.replace(/\/index\.ts$/, '') === name,
  )
  if (!found) throw new Error(`TypeDoc has a module ${name}, which is not an entry point.`)
  return found[0]
}
