import { NoIndex, ScreenTitle } from './screen-title.tsx'

/** The site's share picture, for pages without one of their own. */
const SITE_PICTURE = {
  path: '/share.png',
  alt: 'Milepost: a trail that climbs past its milestones. Track your journey, celebrate progress.',
} as const

/** The size of every share picture, in pixels. */
const PICTURE_SIZE = { width: 1200, height: 630 } as const

export type SharePicture = { url: string; alt: string; type: 'image/png' | 'image/jpeg' }

/** The metadata of an article; dates are ISO 8601. */
type Article = { publishedAt: string; modifiedAt: string; author: string; section: string; tags: string[] }

type PublicHeadProps = {
  title: string
  description: string
  /** The page's absolute URL. */
  canonical: string
  /** The share picture; by default the site's. */
  picture?: SharePicture
  article?: Article
  /** Whether search engines may list the page; true by default. */
  isListed?: boolean
  /** Linked data about the page's subject. */
  about: LinkedThing[]
}

/** The metadata of a public page: for the browser tab, search engines and link previews. */
export function PublicHead({
  title,
  description,
  canonical,
  picture,
  article,
  isListed = true,
  about,
}: PublicHeadProps) {
  const { url, alt, type } = picture ?? {
    url: new URL(SITE_PICTURE.path, canonical).href,
    alt: SITE_PICTURE.alt,
    type: 'image/png',
  }
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      {!isListed && <NoIndex />}
      <meta name="description" content={description} />
      <link rel="canonical" href={canonical} />
      <meta property="og:site_name" content="Milepost" />
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      <meta property="og:image" content={url} />
      <meta property="og:image:type" content={type} />
      <meta property="og:image:width" content={String(PICTURE_SIZE.width)} />
      <meta property="og:image:height" content={String(PICTURE_SIZE.height)} />
      <meta property="og:image:alt" content={alt} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={url} />
      <meta name="twitter:image:alt" content={alt} />
      {article && <ArticleTags {...article} />}
      <LinkedData graph={about} />
    </>
  )
}

function ArticleTags({ publishedAt, modifiedAt, author, section, tags }: Article) {
  return (
    <>
      <meta name="author" content={author} />
      <meta property="article:published_time" content={publishedAt} />
      <meta property="article:modified_time" content={modifiedAt} />
      <meta property="article:section" content={section} />
      {tags.map((tag) => (
        <meta key={tag} property="article:tag" content={tag} />
      ))}
    </>
  )
}

/** A schema.org object. */
type LinkedThing = { '@type': string; [property: string]: unknown }

/** Linked data (JSON-LD). It is not executed, so the content security policy need not allow it. */
export function LinkedData({ graph }: { graph: LinkedThing[] }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  return (
    <script
      type="application/ld+json"
      // A title may contain </script>; escaping keeps it inside the string.
      dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }}
    />
  )
}

/** Returns the pictures for linked data: the cover, if there is one, and the share picture. */
export const imagesOf = (canonical: string, cover: string | undefined, picture: string) =>
  cover === undefined ? picture : [new URL(cover, canonical).href, picture]

/** Returns the breadcrumbs of a page; the last step is the page itself. */
export function breadcrumbs(steps: { name: string; url: string }[]): LinkedThing {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  }
}
