import { PublicHead } from '#web/head/public-head.tsx'
import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'

const TITLE = 'Text Formatting Guide'
const DESCRIPTION =
  'How to format an entry with Markdown: emphasis, headers, lists, quotes, links, images and checklists.'

type GuidePageProps = { cards: ExampleCardProps[]; origin: string }

/** The formatting guide, with examples to copy. */
export function GuidePage({ cards, origin }: GuidePageProps) {
  const canonical = new URL('/markdown-guide', origin).href
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
      <GoodToKnow />
    </Page>
  )
}

/** What the examples do not show. */
function GoodToKnow() {
  return (
    <section className="mt-5 max-w-reading">
      <h2 className="mb-3 text-lg font-semibold">Good to know</h2>
      <ul className="flex list-disc flex-col gap-2 pl-5 text-muted [&_code]:font-mono [&_code]:text-sm [&_code]:text-ink">
        <li>A line break stays a line break. An empty line begins a new paragraph.</li>
        <li>
          A link can lead to a heading of the same text: <code>[Parts](#parts-list)</code> leads to{' '}
          <code>## Parts list</code>, and <code>#parts-list-1</code> to the second heading of that name.
        </li>
        <li>
          In a list, Tab moves an item in and Shift+Tab moves it out; in a table, it goes to the next cell.
          Escape, then Tab leaves the text.
        </li>
        <li>
          Of HTML, <code>&lt;br&gt;</code>, <code>&lt;kbd&gt;</code> and the like,{' '}
          <code>&lt;details&gt;</code> and <code>&lt;img&gt;</code> work, and the code with which sites offer
          their videos for embedding.
        </li>
        <li>
          Emoji are typed as such 🎉: codes such as <code>:tada:</code> stay as they are, and so do
          definitions that begin with a colon.
        </li>
        <li>
          Fields between two lines of <code>---</code> at the very beginning, as other programs write them,
          are shown as code.
        </li>
      </ul>
    </section>
  )
}

type ExampleCardProps = { title: string; source: string; html: string }

/** An example: its Markdown source and the rendered result. */
function ExampleCard({ title, source, html }: ExampleCardProps) {
  return (
    <Card className="mb-5 break-inside-avoid overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-x-4 py-3 pr-3 pl-5">
        <h2 className="text-lg font-semibold">{title}</h2>
        <CopyButton text={source} />
      </header>
      <pre className="border-y border-line bg-sunken px-5 py-4 font-mono text-sm leading-6 whitespace-pre-wrap">
        {source}
      </pre>
      <div className="px-5 py-5 [&_img]:w-24">
        <RenderedMarkdown name={title} html={html} />
      </div>
    </Card>
  )
}
