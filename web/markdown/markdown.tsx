import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { pageStructure } from './structure.ts'
import { isTame } from './tame.ts'

/**
 * Markdown as people wrote it, the same in the preview, on the page and in the server's HTML. Raw HTML shows as text;
 * links keep react-markdown's own URL rule (http, https, irc, ircs, mailto, xmpp and relative).
 */
export function Markdown({ content }: { content: string }) {
  if (!isTame(content)) return <p className="prose prose-plain">{content}</p>
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[pageStructure]}>
        {content}
      </ReactMarkdown>
    </div>
  )
}
