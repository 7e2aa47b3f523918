import { File as FileIcon, Image as ImageIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { RevisionText } from '#contract/history.ts'
import { fileReferences } from '#web/entries/editor/files/file-text.ts'
import { SkeletonList } from '#web/ui/feedback/loading.tsx'
import { type Piece, whole } from './compare.ts'

/** The compared fields of a version. */
type ComparedText = Pick<RevisionText, 'title' | 'content' | 'tags'>

/** The number of unchanged lines shown next to a change, and the minimum number of lines to hide. */
const CONTEXT_LINES = 3
const HIDDEN_MIN = 4

/** The changes from one text to a later one: title, content as Markdown, and tags. */
export function Changes({ before, after }: { before: ComparedText; after: ComparedText }) {
  const compared = useComparison([
    [before.title, after.title],
    [before.content, after.content],
    [before.tags.join('\n'), after.tags.join('\n')],
  ])
  if (!compared)
    return <SkeletonList label="Comparing the texts" count={1} className="" itemClassName="h-60" />
  const [title = [], content = [], tags = []] = compared
  const isSame = compared.every((pieces) => pieces.every(({ kind }) => kind === 'same'))
  return (
    <div className="flex flex-col gap-4">
      {isSame && <p className="text-sm text-muted">Title, text and tags are the same.</p>}
      <p dir="auto" className="font-reading text-2xl font-medium wrap-anywhere">
        <Pieces pieces={title} />
      </p>
      <div dir="auto" className="font-reading text-base/7 whitespace-pre-wrap wrap-anywhere">
        <Pieces pieces={content} shortened />
      </div>
      {tags.length > 0 && (
        <p className="flex flex-wrap gap-x-1.5 text-sm text-muted">
          Tags:{' '}
          {tags
            .flatMap(({ kind, text }) => text.split('\n').map((tag) => ({ kind, text: tag })))
            .filter(({ text }) => text !== '')
            .map((tag) => (
              <span key={`${tag.kind} ${tag.text}`}>
                <PieceText {...tag} />
              </span>
            ))}
        </p>
      )}
    </div>
  )
}

function Pieces({ pieces, shortened = false }: { pieces: Piece[]; shortened?: boolean }) {
  return pieces.map((piece, at) => {
    const position = { isFirst: at === 0, isLast: at === pieces.length - 1 }
    return piece.kind === 'same' && shortened && pieces.length > 1 ? (
      <Unchanged key={at} text={piece.text} {...position} />
    ) : (
      <PieceText key={at} {...piece} />
    )
  })
}

/** A change. It is not marked by color alone: insertions are underlined, deletions are struck through. */
function PieceText({ kind, text }: Piece) {
  if (kind === 'same')
    return (
      <span>
        <WithChips text={text} />
      </span>
    )
  if (kind === 'added')
    return (
      <ins className="rounded-sm bg-success-soft text-success decoration-success/60 underline-offset-2">
        <WithChips text={text} />
      </ins>
    )
  return (
    <del className="rounded-sm bg-danger-soft text-danger decoration-danger/60">
      <WithChips text={text} />
    </del>
  )
}

/** A passage of Markdown with chips in the place of its pictures and files, instead of their ids. */
function WithChips({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const { from, to, isShown, words, caption } of fileReferences(text)) {
    const Icon = isShown ? ImageIcon : FileIcon
    parts.push(
      text.slice(end, from),
      <span
        key={from}
        className="mx-0.5 inline-flex max-w-full items-center gap-1 rounded-md border border-current/30 px-1.5 align-middle font-sans text-sm/6 no-underline"
      >
        <Icon className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="truncate">{words || caption || (isShown ? 'Picture' : 'File')}</span>
      </span>,
    )
    end = to
  }
  return [...parts, text.slice(end)]
}

/** An unchanged passage, of which only the lines next to changes are shown. */
function Unchanged({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const from = isFirst ? 0 : CONTEXT_LINES
  const to = lines.length - (isLast ? 0 : CONTEXT_LINES)
  const hidden = to - from
  if (isWhole || hidden < HIDDEN_MIN) return <WithChips text={text} />
  return (
    <>
      {from > 0 && <WithChips text={`${lines.slice(0, from).join('\n')}\n`} />}
      <button
        type="button"
        className="my-2 block w-full rounded-sm border border-dashed border-edge px-2 py-1 text-left font-sans text-xs text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setWhole(true)}
      >
        Show {hidden} unchanged lines
      </button>
      {to < lines.length && <WithChips text={lines.slice(to).join('\n')} />}
    </>
  )
}

/** Pairs of an earlier and a later text. */
export type Comparison = [before: string, after: string][]
export type Compared = Piece[][]

/** After this time, texts are shown without a comparison. */
const PATIENCE_MS = 5_000

const startWorker = () => new Worker(new URL('./compare.worker.ts', import.meta.url), { type: 'module' })

/** Returns the differences of texts, or undefined while a worker computes them, so that no text blocks the page. */
function useComparison(texts: Comparison): Compared | undefined {
  const key = JSON.stringify(texts)
  const [result, setResult] = useState<{ key: string; compared: Compared }>()

  useEffect(() => {
    const asked = JSON.parse(key) as Comparison
    const finish = (compared: Compared) => setResult({ key, compared })
    const giveUp = () => finish(asked.map(([before, after]) => whole(before, after)))
    const worker = startWorker()
    const timer = setTimeout(giveUp, PATIENCE_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<Compared>) => {
      clearTimeout(timer)
      finish(data)
    })
    worker.addEventListener('error', giveUp)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(asked)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [key])

  return result?.key === key ? result.compared : undefined
}
