import { RenderedMarkdown } from '#web/markdown/rendered-markdown.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

type ExampleCardProps = { title: string; source: string; html?: string }

/** One thing that Markdown can do: how it is written, and what comes of it. */
export function ExampleCard({ title, source, html }: ExampleCardProps) {
  return (
    <Card className="mb-5 break-inside-avoid overflow-hidden">
      <header className="flex items-center justify-between gap-4 py-3 pr-3 pl-5">
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
