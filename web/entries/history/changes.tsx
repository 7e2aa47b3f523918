import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import type { RevisionText } from '#contract/history.ts'
import { Passage, PassagePictures, Unchanged } from '#web/entries/passage.tsx'
import { SkeletonList } from '#web/ui/feedback/loading.tsx'
import { type Piece, whole } from './compare.ts'

/** The compared fields of a version. */
type ComparedText = Pick<RevisionText, 'title' | 'content' | 'tags'>

/** The changes from one text to a later one: title, content as Markdown, and tags. */
export function Changes({ before, after }: { before: ComparedText; after: ComparedText }) {
  const { projectId } = useParams()
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
        <PassagePictures projectId={projectId} texts={[before.content, after.content]}>
          <Pieces pieces={content} shortened />
        </PassagePictures>
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
        <Passage text={text} />
      </span>
    )
  if (kind === 'added')
    return (
      <ins className="rounded-sm bg-success-soft text-success decoration-success/60 underline-offset-2">
        <Passage text={text} />
      </ins>
    )
  return (
    <del className="rounded-sm bg-danger-soft text-danger decoration-danger/60">
      <Passage text={text} />
    </del>
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
