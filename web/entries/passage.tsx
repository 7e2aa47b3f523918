import { useQuery } from '@tanstack/react-query'
import { File as FileIcon, Image as ImageIcon } from 'lucide-react'
import { createContext, Fragment, type ReactNode, use, useMemo, useState } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import { type FileReference, fileReferences, referredIds } from '#web/files/file-references.ts'
import { filesQuery } from '#web/files/queries.ts'

const Pictures = createContext<ReadonlyMap<string, ProjectFile>>(new Map())

type PassagePicturesProps = { projectId: string | undefined; texts: readonly string[]; children: ReactNode }

/** Fetches the pictures of texts for the passages below, which show thumbnails of them. */
export function PassagePictures({ projectId = '', texts, children }: PassagePicturesProps) {
  const ids = projectId === '' ? [] : [...new Set(texts.flatMap(referredIds))].sort()
  const { data } = useQuery(filesQuery(projectId, ids))
  const pictures = useMemo(() => new Map(data?.map((file) => [file._id, file])), [data])
  return <Pictures value={pictures}>{children}</Pictures>
}

/** A passage of Markdown as it was typed, but with thumbnails and names in the place of its pictures and files. */
export function Passage({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const reference of fileReferences(text)) {
    const between = text.slice(end, reference.from)
    // The pictures of a gallery are beside each other.
    parts.push(
      <Fragment key={reference.from}>
        {end > 0 && between === '\n' ? ' ' : between}
        <Reference reference={reference} />
      </Fragment>,
    )
    end = reference.to
  }
  return [...parts, text.slice(end)]
}

function Reference({ reference: { id, isShown, words, caption } }: { reference: FileReference }) {
  const file = use(Pictures).get(id)
  const thumbnail = isShown ? file?.sources?.[0]?.url : undefined
  const name = words || caption || (isShown ? 'Picture' : 'File')
  if (thumbnail !== undefined)
    return (
      <span className="my-1 inline-flex w-32 max-w-full flex-col gap-1 rounded-md border-2 border-transparent align-top font-sans text-xs/4 no-underline in-[del]:border-danger/60 in-[ins]:border-success/70 in-[mark]:border-accent">
        <img
          src={thumbnail}
          alt={words}
          decoding="async"
          className="h-24 w-full rounded-sm bg-sunken object-cover in-[del]:opacity-60"
        />
        {caption !== '' && <span className="px-1 pb-1">{caption}</span>}
      </span>
    )
  const Icon = isShown ? ImageIcon : FileIcon
  return (
    <span className="mx-0.5 inline-flex max-w-full items-center gap-1 rounded-md border border-current/30 px-1.5 align-middle font-sans text-sm/6 no-underline">
      <Icon className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="truncate">{name}</span>
    </span>
  )
}

/** The number of unchanged lines shown next to a change, and the minimum number of lines to hide. */
const CONTEXT_LINES = 3
const HIDDEN_MIN = 4

/** An unchanged passage, of which only the lines next to changes are shown. */
export function Unchanged({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const lines = text.split('\n')
  const from = isFirst ? 0 : CONTEXT_LINES
  const to = lines.length - (isLast ? 0 : CONTEXT_LINES)
  const hidden = to - from
  if (isWhole || hidden < HIDDEN_MIN) return <Passage text={text} />
  return (
    <>
      {from > 0 && <Passage text={`${lines.slice(0, from).join('\n')}\n`} />}
      <button
        type="button"
        className="my-2 block w-full rounded-sm border border-dashed border-edge px-2 py-1 text-left font-sans text-xs text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setWhole(true)}
      >
        Show {hidden} unchanged lines
      </button>
      {to < lines.length && <Passage text={lines.slice(to).join('\n')} />}
    </>
  )
}
