import { ScreenTitle } from './screen-title.tsx'

/** The site's own picture, for pages without one. Its address is relative to the origin. */
const SITE_PICTURE = {
  path: '/share.png',
  alt: 'Milepost: a trail that climbs past its milestones. Track your journey, celebrate progress.',
}

/** The size of every picture that is shown beside a shared link, in pixels. */
const PICTURE_SIZE = { width: 1200, height: 630 } as const

type SharePicture = { url: string; alt: string }

/** What a page says of itself where it is an article. Moments are ISO 8601. */
type Article = { publishedAt: string; modifiedAt: string; section: string; tags: string[] }

type PublicHeadProps = {
  title: string
  description: string
  /** The page's own address, whole. */
  canonical: string
  /** Absent: the site's own. */
  picture?: SharePicture
  article?: Article
  /** What the page is about, for machines. */
  about: LinkedThing[]
}

/** What a page that anybody can find says of itself: in the tab, in search results, and where its link is shared. */
export function PublicHead({ title, description, canonical, picture, article, about }: PublicHeadProps) {
  const { url, alt } = picture ?? {
    url: new URL(SITE_PICTURE.path, canonical).href,
    alt: SITE_PICTURE.alt,
  }
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonical} />
      <meta property="og:site_name" content="Milepost" />
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      <meta property="og:image" content={url} />
      <meta property="og:image:type" content="image/png" />
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

function ArticleTags({ publishedAt, modifiedAt, section, tags }: Article) {
  return (
    <>
      <meta property="article:published_time" content={publishedAt} />
      <meta property="article:modified_time" content={modifiedAt} />
      <meta property="article:section" content={section} />
      {tags.map((tag) => (
        <meta key={tag} property="article:tag" content={tag} />
      ))}
    </>
  )
}

/** A thing in the vocabulary of schema.org. */
type LinkedThing = { '@type': string; [property: string]: unknown }

/** What a page is about, for machines (JSON-LD). It is data and never runs, so the policy need not let it. */
export function LinkedData({ graph }: { graph: LinkedThing[] }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  return (
    <script
      type="application/ld+json"
      // A title may hold the end of a script; as an escape it stays a title.
      dangerouslySetInnerHTML={{ __html: text.replaceAll('<', '\\u003c') }}
    />
  )
}

/** The way from the site's front page to a page; the last step is the page itself. */
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
