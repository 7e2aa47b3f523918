/** A thing in the vocabulary of schema.org. */
export type LinkedThing = { '@type': string; [property: string]: unknown }

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
