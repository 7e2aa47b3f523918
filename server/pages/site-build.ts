import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PublicPagesBuild } from '#contract/rendering.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { importPublicPages } from './build.ts'

const CLIENT = new URL('../../build/client/', import.meta.url)
const ICONS = ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']
const STYLE = 'style.css'
/** There is no navigation bar to leave room for. */
const OWN_STYLE = '#main{padding-top:1rem}\n'

/** What a folder of public pages is made with. */
export type SiteBuild = Pick<PublicPagesBuild, 'renderPage'> & {
  /** The files that pages need besides each other: a style sheet, its fonts and the icons, all at the top of the folder. */
  assets: ReadonlyMap<string, Buffer>
  /** Their names, by their paths on the server. */
  assetOf: ReadonlyMap<string, string>
}

let loading: Promise<SiteBuild> | undefined

/** Loads the build of the public pages for files. Throws `unavailable` in development before there is a build. */
export async function loadSiteBuild(): Promise<SiteBuild> {
  loading ??= load()
  try {
    return await loading
  } catch (cause) {
    loading = undefined
    const busy = new AppError('unavailable', 'A site can be made once this server has built its pages', {
      retryAfter: 60,
    })
    throw Object.assign(busy, { cause })
  }
}

async function load(): Promise<SiteBuild> {
  const { renderPage, styles } = await importPublicPages()
  const css = await readFile(inClient(styles[0]), 'utf8')
  const fonts = [...css.matchAll(/url\((\/[^)]+)\)/g)].flatMap(([, url]) => url ?? [])
  const beside = css.replaceAll(/url\((\/[^)]+)\)/g, (_, url: string) => `url(${path.posix.basename(url)})`)
  const assets = new Map([[STYLE, Buffer.from(beside + OWN_STYLE)]])
  const assetOf = new Map(styles.map((url) => [url, STYLE]))
  for (const url of [...fonts, ...ICONS]) {
    const name = path.posix.basename(url)
    assets.set(name, await readFile(inClient(url)))
    assetOf.set(url, name)
  }
  return { renderPage, assets, assetOf }
}

let readingScript: Promise<Buffer> | undefined

/** Loads the script of the search page of a site. */
export async function loadSearchScript(): Promise<Buffer> {
  readingScript ??= readFile(new URL('../../build/site/search.js', import.meta.url))
  return readingScript
}

const inClient = (url: string) => new URL(`.${url}`, CLIENT)
