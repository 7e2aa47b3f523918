import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'

const FRAME = new URL('../web/markdown/diagrams/', import.meta.url)
const FOLDER = new URL('../build/client/diagrams/', import.meta.url)
const { resolve } = createRequire(import.meta.url)

// Writes the files that the diagram frame loads (server/pages/build.ts) into the build.
await mkdir(FOLDER, { recursive: true })
await copyFile(new URL('frame.html', FRAME), new URL('frame.html', FOLDER))
await copyFile(resolve('@mermaid-js/tiny'), new URL('mermaid.js', FOLDER))
const script = stripTypeScriptTypes(await readFile(new URL('frame.ts', FRAME), 'utf8'))
await writeFile(new URL('frame.js', FOLDER), script)
