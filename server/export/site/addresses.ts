import type { SiteBuild } from '#server/pages/site-build.ts'
import type { Media } from './media.ts'
import type { Resolve } from './rewrite.ts'

type AddressesOf = {
  /** The address of the server, without a slash at its end. */
  origin: string
  /** The address of the site, with a slash at its end. */
  base: string | undefined
  build: SiteBuild
  /** Returns the file of a page by its URL on the server. */
  pathOf: (url: URL) => string | undefined
  media: Media
  /** Returns the folder of the feeds of a project, if the site has them. */
  feedOf: (projectId: string) => string | undefined
}

const FEED = /^\/world\/([\da-f-]{36})\/(feed\.\w+)$/

export type Addresses = ReturnType<typeof createAddresses>

/** Finds where the addresses of a server's pages lead in a site. What the server alone offers leads nowhere. */
export function createAddresses({ origin, base, build, pathOf, media, feedOf }: AddressesOf) {
  /** Returns the file of a URL: undefined for one of the server that is not in the site, null for one of elsewhere. */
  function fileOf(address: string): { path: string; hash: string } | undefined | null {
    const url = URL.parse(address, origin)
    if (!url || url.origin !== new URL(origin).origin) return null
    const { pathname, hash } = url
    const [, project, feed] = FEED.exec(pathname) ?? []
    const folder = project === undefined ? undefined : feedOf(project)
    const path =
      pathname === '/'
        ? 'index.html'
        : folder !== undefined
          ? `${folder}${feed}`
          : (build.assetOf.get(pathname) ?? media.pathOf(pathname) ?? pathOf(url))
    return path === undefined ? undefined : { path, hash }
  }

  const resolver =
    (prefix: string, canonical: string | undefined): Resolve =>
    (address, element) => {
      const file = fileOf(address)
      if (file === null) return address
      if (file === undefined) return undefined
      const { path, hash } = file
      const isWhole = element === 'link' && /^https?:/.test(address)
      // Search engines want whole addresses, which a folder on a disk does not have.
      if (isWhole && !path.slice(path.lastIndexOf('/') + 1).startsWith('feed.'))
        return canonical === undefined ? undefined : canonical + encoded(path)
      return prefix + encoded(path) + hash
    }

  return {
    /** Addresses as they are seen from a file of the site. */
    from: (path: string) => resolver('../'.repeat(path.split('/').length - 1), base),
    /** Addresses in a page that stands in for any other: whole ones, if the address of the site is known. */
    fromAnywhere: () => resolver(base ?? '', base),
    /** Makes the addresses in a feed those of the site. */
    async inFeed(text: string): Promise<string> {
      await media.look(text)
      // Its style sheet is at the root of the server.
      const plain = text.replace(/<\?xml-stylesheet [^?]*\?>\n?/, '')
      return plain.replaceAll(/https?:\/\/[^\s"'<>&\\)]+/g, (address) => {
        const file = fileOf(address)
        return file ? base + encoded(file.path) : address
      })
    },
  }
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')
