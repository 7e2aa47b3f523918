import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { Passage, PassagePictures, Unchanged } from '#web/entries/passage.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, GrowingText } from '#web/ui/controls/field.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { changedBy } from './changed-by.ts'
import { type Choice, chosenOf, contentOf } from './merge-entry.ts'
import { PieceChoice, type Whose } from './merge-piece.tsx'
import { isConflict, type Piece } from './merge-text.ts'
import type { EntryConflict } from './save-merging.ts'

/** The result: one of the two texts, or a merge of both. */
export type Decision = { text: 'mine' | 'theirs' | EntryText; day: Choice; cover: Choice }

type MergeViewProps = {
  conflict: EntryConflict
  projectId: string
  /** The entry when the form was opened. */
  original: Entry
  onDecide: (decision: Decision) => void
  /** Called when editing the result by hand begins or ends. */
  onWritten: (isWritten: boolean) => void
}

/**
 * The merged text, with a choice where both changed the same. Before a choice, the result contains both versions; the result
 * can be edited by hand.
 */
export function MergeView({ conflict, projectId, original, onDecide, onWritten }: MergeViewProps) {
  const { merge, mine, theirs } = conflict
  const [choices, setChoices] = useState<{ [index: number]: Choice }>({})
  const [title, setTitle] = useState<Choice>('mine')
  const [day, setDay] = useState<Choice>('mine')
  const [cover, setCover] = useState<Choice>('mine')
  const [typed, setTyped] = useState<string | null>(null)
  const others = useOthers(projectId, original)
  const heading = useRef<HTMLHeadingElement>(null)
  const dates = dateFormatter('day', use(DateContext))
  const content = typed ?? contentOf(merge, Object.assign([], choices))
  const whose = whoseOf(others)
  const covers = [merge.coverFile].flatMap((piece) => (isConflict(piece) ? [piece.mine, piece.theirs] : []))

  // The clicked button has been removed.
  useEffect(() => heading.current?.focus(), [])

  function write(text: string | null) {
    setTyped(text)
    onWritten(text !== null)
  }

  function take(text: Decision['text']) {
    const of = text === 'theirs' ? text : 'mine'
    onDecide(typeof text === 'string' ? { text, day: of, cover: of } : { text, day, cover })
  }

  const takeResult = () => take({ title: chosenOf(merge.title, title), content, tags: merge.tags })

  function takeOnCtrlEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    takeResult()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from its controls
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={takeOnCtrlEnter}>
      <header className="flex min-h-14 shrink-0 items-center justify-between gap-3 border-b border-line ps-1.5 pe-1.5 min-[23rem]:pe-4 sm:ps-4">
        <CloseLayer />
        <Button variant="primary" aria-keyshortcuts="Control+Enter Meta+Enter" onClick={takeResult}>
          Continue with the result
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-6 pb-16 sm:pt-10">
        <div className="mx-auto flex max-w-3xl flex-col gap-8">
          <div className="flex flex-col gap-2">
            <h2
              ref={heading}
              tabIndex={-1}
              className="font-reading text-2xl font-medium outline-none sm:text-3xl"
            >
              Two versions of one entry
            </h2>
            <p className="text-muted">
              This entry was changed elsewhere while you were writing. {savedBy(others)} Choose what stays
              where both changed the same; all else is merged already.
            </p>
          </div>
          <PassagePictures
            projectId={projectId}
            texts={[mine.content, theirs.content, ...covers.map(shownAs)]}
          >
            <ValueChoice name="Title" piece={merge.title} whose={whose} choice={title} onChoose={setTitle} />
            <ValueChoice
              name="Date"
              piece={merge.day}
              whose={whose}
              choice={day}
              onChoose={setDay}
              shows={(text) => dates.format(new Date(text))}
            />
            <ValueChoice
              name="Cover"
              piece={merge.coverFile}
              whose={whose}
              choice={cover}
              onChoose={setCover}
              shows={shownCover}
            />
            <Pieces
              pieces={merge.content}
              whose={whose}
              choices={choices}
              disabled={typed !== null}
              onChoose={(index, choice) => setChoices({ ...choices, [index]: choice })}
            />
          </PassagePictures>
          <Result text={content} isTyped={typed !== null} onType={write} />
          <section
            aria-label="One of the two texts"
            className="flex flex-wrap items-center gap-2 border-t border-line pt-5"
          >
            <p className="mb-1 basis-full text-sm text-muted">
              Or keep one text as a whole. The other stays beside it.
            </p>
            <Button size="sm" onClick={() => take('mine')}>
              {whose.mine.keepAll}
            </Button>
            <Button size="sm" onClick={() => take('theirs')}>
              {whose.theirs.keepAll}
            </Button>
            <CopyButton text={mine.content} label="Copy my text" variant="quiet" />
          </section>
        </div>
      </div>
    </div>
  )
}

/** The people who saved the other text; undefined until that is known. */
function useOthers(projectId: string, original: Entry): string | undefined {
  const [others, setOthers] = useState<string>()
  useEffect(() => {
    let isMounted = true
    void changedBy(projectId, original).then((names) => isMounted && setOthers(names))
    return () => {
      isMounted = false
    }
  }, [projectId, original])
  return others
}

const savedBy = (others: string | undefined) =>
  others === undefined
    ? ''
    : others === 'you'
      ? 'You saved it yourself, in another tab or on another device.'
      : `It was saved by ${others}.`

/** How the two versions are called: of one person both would be theirs. */
function whoseOf(others: string | undefined): Whose {
  if (others === 'you')
    return {
      mine: { keep: 'Keep this one', keepAll: 'Keep all of this one', by: 'You, here' },
      theirs: { keep: 'Keep the other one', keepAll: 'Keep all of the other one', by: 'You, elsewhere' },
      keepBoth: 'Keep both, this one first',
    }
  return {
    mine: { keep: 'Keep mine', keepAll: 'Keep all of mine', by: 'You, here' },
    theirs: { keep: 'Keep theirs', keepAll: 'Keep all of theirs', by: others ?? 'Saved meanwhile' },
    keepBoth: 'Keep both, mine first',
  }
}

/** The Markdown of a picture, to show a cover as one in a text. */
const shownAs = (file: string) => `![Cover](/files/${file})`

function shownCover(file: string): ReactNode {
  if (file === DEFAULT_COVER) return 'The first picture'
  return file === '' ? 'No cover' : <Passage text={shownAs(file)} />
}

type ValueChoiceProps = Omit<Parameters<typeof PieceChoice>[0], 'piece'> & { piece: Piece }

/** A value as a whole; nothing unless both changed it. */
const ValueChoice = ({ piece, ...rest }: ValueChoiceProps) =>
  isConflict(piece) ? <PieceChoice piece={piece} {...rest} /> : null

type PiecesProps = {
  pieces: readonly Piece[]
  whose: Whose
  choices: { [index: number]: Choice }
  disabled: boolean
  onChoose: (index: number, choice: Choice) => void
}

/** The text in its order: what is merged, shortened, and the choices. Nothing if all of it is merged. */
function Pieces({ pieces, whose, choices, disabled, onChoose }: PiecesProps) {
  const conflicts = pieces.filter(isConflict)
  if (conflicts.length === 0) return null
  return (
    <div className="flex flex-col gap-5">
      {pieces.map((piece, at) => {
        if (!isConflict(piece)) {
          if (piece.same.trim() === '') return null
          const position = { isFirst: at === 0, isLast: at === pieces.length - 1 }
          return (
            <div
              key={at}
              dir="auto"
              className="font-reading text-base/7 whitespace-pre-wrap text-muted wrap-anywhere"
            >
              <Unchanged text={withoutOuterBreaks(piece.same)} {...position} />
            </div>
          )
        }
        const index = conflicts.indexOf(piece)
        return (
          <PieceChoice
            key={at}
            name={conflicts.length === 1 ? 'Text' : `Text, place ${index + 1} of ${conflicts.length}`}
            piece={piece}
            whose={whose}
            canBoth
            choice={choices[index] ?? 'both'}
            disabled={disabled}
            onChoose={(choice) => onChoose(index, choice)}
          />
        )
      })}
    </div>
  )
}

type ResultProps = { text: string; isTyped: boolean; onType: (text: string | null) => void }

/** The whole result as Markdown, to look at and to change by hand. Then its places can no longer be chosen. */
function Result({ text, isTyped, onType }: ResultProps) {
  return (
    <details className="group/result rounded-lg border border-line">
      <summary className="flex min-h-11 items-center justify-between gap-3 rounded-lg px-4 text-sm font-semibold hover:bg-hover [&::-webkit-details-marker]:hidden">
        See the result, or change it by hand
        <ChevronDown className="size-4 shrink-0 text-muted group-open/result:rotate-180" aria-hidden="true" />
      </summary>
      <div className="flex flex-col items-start gap-3 p-4 pt-2">
        <Field label="Result" quiet className="w-full">
          <GrowingText
            dir="auto"
            className="min-h-40 w-full rounded-md border border-edge bg-raised p-3 font-reading text-base/7"
            value={text}
            onChange={({ target: { value } }) => onType(value)}
          />
        </Field>
        {isTyped && (
          <Button size="sm" onClick={() => onType(null)}>
            Choose by place again
          </Button>
        )}
      </div>
    </details>
  )
}

/** Returns a text without the line breaks at its ends, in linear time: `\n+$` would try each of a long run. */
function withoutOuterBreaks(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === '\n') start += 1
  while (end > start && text[end - 1] === '\n') end -= 1
  return text.slice(start, end)
}
