import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { Passage, PassagePictures } from '#web/entries/passage.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, GrowingText } from '#web/ui/controls/field.tsx'
import { CloseLayer } from '#web/ui/dialogs/page-layer.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { changedBy } from './changed-by.ts'
import { type Choice, chosenOf, contentOf } from './merge-entry.ts'
import { PieceChoice, Pieces, type Whose } from './merge-piece.tsx'
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
  const { merge, mine } = conflict
  const [values, setValues] = useState<Values>({ title: 'mine', day: 'mine', cover: 'mine' })
  const [choices, setChoices] = useState<{ [index: number]: Choice }>({})
  const [typed, setTyped] = useState<string | null>(null)
  const others = useOthers(projectId, original)
  const content = typed ?? contentOf(merge, Object.assign([], choices))
  const whose = whoseOf(others)

  function write(text: string | null) {
    setTyped(text)
    onWritten(text !== null)
  }

  function takeResult() {
    const { title, ...chosen } = values
    onDecide({ text: { title: chosenOf(merge.title, title), content, tags: merge.tags }, ...chosen })
  }

  const takeWhole = (text: 'mine' | 'theirs') => onDecide({ text, day: text, cover: text })

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
        <Button
          variant="primary"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          className="min-w-0!"
          onClick={takeResult}
        >
          Continue with the result
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-6 pb-16 sm:pt-10">
        <div className="mx-auto flex max-w-3xl flex-col gap-8">
          <Heading others={others} />
          <Choices
            conflict={conflict}
            projectId={projectId}
            whose={whose}
            values={values}
            onValues={setValues}
          >
            <Pieces
              pieces={merge.content}
              whose={whose}
              choices={choices}
              disabled={typed !== null}
              onChoose={(index, choice) => setChoices({ ...choices, [index]: choice })}
            />
          </Choices>
          <Result text={content} isTyped={typed !== null} onType={write} />
          <section
            aria-label="One of the two texts"
            className="flex flex-wrap items-center gap-2 border-t border-line pt-5"
          >
            <p className="mb-1 basis-full text-sm text-muted">
              Or keep one text as a whole. The other stays beside it.
            </p>
            <Button size="sm" onClick={() => takeWhole('mine')}>
              {whose.mine.keepAll}
            </Button>
            <Button size="sm" onClick={() => takeWhole('theirs')}>
              {whose.theirs.keepAll}
            </Button>
            <CopyButton text={mine.content} label="Copy my text" variant="quiet" />
          </section>
        </div>
      </div>
    </div>
  )
}

function Heading({ others }: { others: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The clicked button has been removed.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-2">
      <h2 ref={heading} tabIndex={-1} className="font-reading text-2xl font-medium outline-none sm:text-3xl">
        Two versions of one entry
      </h2>
      <p className="text-muted">
        This entry was changed elsewhere while you were writing. {savedBy(others)} Choose what stays where
        both changed the same; all else is merged already.
      </p>
    </div>
  )
}

/** What is chosen of the values that are no text. */
type Values = { title: Choice; day: Choice; cover: Choice }

type ChoicesProps = Pick<MergeViewProps, 'conflict' | 'projectId'> & {
  whose: Whose
  values: Values
  onValues: (values: Values) => void
  children: ReactNode
}

/** The values that both changed, then the text. */
function Choices({ conflict, projectId, whose, values, onValues, children }: ChoicesProps) {
  const { merge, mine, theirs } = conflict
  const dates = dateFormatter('day', use(DateContext))
  const covers = [merge.coverFile].flatMap((piece) => (isConflict(piece) ? [piece.mine, piece.theirs] : []))
  const chooser = (field: keyof Values) => ({
    whose,
    choice: values[field],
    onChoose: (choice: Choice) => onValues({ ...values, [field]: choice }),
  })
  return (
    <PassagePictures projectId={projectId} texts={[mine.content, theirs.content, ...covers.map(shownAs)]}>
      <ValueChoice name="Title" piece={merge.title} {...chooser('title')} />
      <ValueChoice
        name="Date"
        piece={merge.day}
        shows={(text) => dates.format(new Date(text))}
        {...chooser('day')}
      />
      <ValueChoice name="Cover" piece={merge.coverFile} shows={shownCover} {...chooser('cover')} />
      {children}
    </PassagePictures>
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
