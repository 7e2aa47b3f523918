import type { CachedParams } from '#contract/rendering.ts'
import { PublicHead } from '#web/shell/public-head.tsx'
import { Page, PageHeader } from '#web/ui/page.tsx'
import type { Route } from './+types/guide-screen'
import { ExampleCard } from './example-card.tsx'
import { sendCards } from './guide-cards.server.ts'

const TITLE = 'Text Formatting Guide'
const DESCRIPTION =
  'How to format an entry with Markdown: emphasis, headers, lists, quotes, links, images and checklists.'

export const cachedParams: CachedParams = {}

export function loader({ context, request }: Route.LoaderArgs) {
  return { cards: sendCards(context), canonical: new URL('/markdown-guide', request.url).href }
}

/** How entries are formatted, by examples to copy. */
export default function GuideScreen({ loaderData: { cards, canonical } }: Route.ComponentProps) {
  return (
    <Page>
      <PublicHead
        title={TITLE}
        description={DESCRIPTION}
        canonical={canonical}
        about={[{ '@type': 'TechArticle', headline: TITLE, description: DESCRIPTION, url: canonical }]}
      />
      <PageHeader
        title={TITLE}
        lede="Entries are written in Markdown: plain text with a few marks that say how it should look. Copy an example and make it yours."
      />
      <div className="gap-5 lg:columns-2">
        {cards.map((card) => (
          <ExampleCard key={card.title} {...card} />
        ))}
      </div>
    </Page>
  )
}
