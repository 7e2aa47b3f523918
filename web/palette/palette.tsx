import { useQuery } from '@tanstack/react-query'
import { Command as Menu } from 'cmdk'
import { ArrowRight, Folder, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { fold } from '#contract/parts/folding.ts'
import { SEARCH_MAX } from '#contract/parts/list-options.ts'
import type { SearchHit } from '#contract/search.ts'
import type { Command } from '#web/commands/table.ts'
import { commandOf } from '#web/commands/use-command.ts'
import { writtenKey } from '#web/commands/written-key.ts'
import { writableProjectsQuery } from '#web/projects/queries.ts'
import { hitIcons, hitPath } from '#web/search/hits.ts'
import { Marked } from '#web/search/marked.tsx'
import { useSearch } from '#web/search/queries.ts'
import { closesNothing, overlayClass, useFocusReturn } from '#web/ui/dialogs/dialog.tsx'
import { useHistoryLayer } from '#web/ui/dialogs/use-history-layer.ts'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CreateForm, type Creation } from './create-form.tsx'
import { type Action, useActions } from './use-actions.ts'

const TYPING_PAUSE_MS = 150
const RECENT_SHOWN = 5
const FOUND_SHOWN = 8

/** The palette: finds things, and does what can be done here. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [creation, setCreation] = useState<Creation | null>(null)
  if (creation && creation.kind !== 'choose a project') return <CreateForm {...creation} onClose={onClose} />
  return (
    <PaletteDialog onClose={onClose}>
      {creation ? (
        <ProjectChoice onChoose={(projectId) => setCreation({ kind: 'milestone', projectId })} />
      ) : (
        <Everything onClose={onClose} onCreate={setCreation} />
      )}
    </PaletteDialog>
  )
}

function PaletteDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { remember, restore } = useFocusReturn()
  useHistoryLayer(true, () => {
    onClose()
    return true
  })

  function closeByKey(event: KeyboardEvent) {
    if (commandOf(event.nativeEvent) !== 'palette') return
    event.preventDefault()
    onClose()
  }

  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass}>
          <Radix.Content
            aria-describedby={undefined}
            data-sheet=""
            onOpenAutoFocus={remember}
            onCloseAutoFocus={restore}
            onInteractOutside={(event) => closesNothing(event) && event.preventDefault()}
            onKeyDown={closeByKey}
            className="flex max-h-[92dvh] w-full flex-col overflow-hidden rounded-t-xl bg-raised shadow-lg outline-none max-sm:h-[92dvh] max-sm:animate-sheet sm:max-h-[min(34rem,100%)] sm:max-w-xl sm:animate-rise sm:rounded-xl"
          >
            <Radix.Title className="sr-only">Commands</Radix.Title>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

type EverythingProps = { onClose: () => void; onCreate: (creation: Creation) => void }

/** What was found or is recent, and the commands; the first is chosen until another is. */
function Everything({ onClose, onCreate }: EverythingProps) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const asked = useSettled(typed.trim())
  const { data, isFetching, isError, isPlaceholderData } = useSearch(asked, 1)
  const isFound = asked === typed.trim() && data !== undefined && !isPlaceholderData
  const isEmpty = typed.trim() === ''
  const hits = (data?.hits ?? []).slice(0, isEmpty ? RECENT_SHOWN : FOUND_SHOWN)
  const actions = useActions({ onClose, onCreate }).filter(({ name }) => matches(name, typed))

  function open(path: string) {
    onClose()
    void navigate(path)
  }

  const found = hits.length > 0 && (
    <Section heading={isEmpty ? 'Recent' : 'Found'}>
      {hits.map((hit) => (
        <Hit key={hit._id} hit={hit} onChoose={() => open(hitPath(hit))} />
      ))}
    </Section>
  )
  const firstHit = isFound ? hits[0]?._id : undefined
  const firstAction = actions[0]?.id
  const first = (isEmpty ? (firstHit ?? firstAction) : (firstAction ?? firstHit)) ?? 'search everything'
  const searchPath = `/search?${new URLSearchParams({ q: typed.trim() })}`
  return (
    <PaletteMenu
      typed={typed}
      onType={setTyped}
      placeholder="Search, or do something"
      first={first}
      isBusy={isFetching || asked !== typed.trim()}
    >
      {isEmpty && found}
      {actionGroups(actions).map(([heading, group]) => (
        <Section key={heading} heading={heading}>
          {group.map((action) => (
            <ActionRow key={action.id} action={action} />
          ))}
        </Section>
      ))}
      {!isEmpty && found}
      {!isEmpty && (
        <Row value="search everything" icon={<Search />} onChoose={() => open(searchPath)}>
          Search everything for “<bdi>{typed.trim()}</bdi>”
        </Row>
      )}
      {isError && <p className="px-3 py-2 text-sm text-danger">The search failed.</p>}
    </PaletteMenu>
  )
}

const headings = { here: 'On this page', create: 'Create', go: 'Go to', settings: 'Settings' }

const actionGroups = (actions: Action[]) =>
  (Object.keys(headings) as Command['group'][]).flatMap((group): [string, Action[]][] => {
    const those = actions.filter((action) => action.group === group)
    return those.length === 0 ? [] : [[headings[group], those]]
  })

/** Whether a name contains each of the typed words. */
const matches = (name: string, typed: string) =>
  fold(typed)
    .split(/\s+/)
    .every((word) => fold(name).includes(word))

function ProjectChoice({ onChoose }: { onChoose: (projectId: string) => void }) {
  const [typed, setTyped] = useState('')
  const { data = [], isPending } = useQuery(writableProjectsQuery)
  const projects = data.filter(({ title }) => matches(title, typed))
  return (
    <PaletteMenu
      typed={typed}
      onType={setTyped}
      placeholder="Add a milestone to which project?"
      first={projects[0]?._id ?? ''}
      isBusy={isPending}
      takesFocus
    >
      {projects.map(({ _id, title }) => (
        <Row key={_id} value={_id} icon={<Folder />} onChoose={() => onChoose(_id)}>
          <bdi>{title}</bdi>
        </Row>
      ))}
      {!isPending && projects.length === 0 && (
        <p className="px-3 py-6 text-center text-sm text-muted">No such project in which you may write.</p>
      )}
    </PaletteMenu>
  )
}

type PaletteMenuProps = {
  typed: string
  onType: (typed: string) => void
  placeholder: string
  /** The row that is chosen until the person chooses another. */
  first: string
  isBusy: boolean
  /** For a further step: the field of the first has the focus when the dialog opens. */
  takesFocus?: true
  children: ReactNode
}

/** The text field and the list below it. */
function PaletteMenu({ typed, onType, placeholder, first, isBusy, takesFocus, children }: PaletteMenuProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [isMoving, setMoving] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  function type(text: string) {
    setMoving(false)
    setChosen(null)
    onType(text)
  }

  /** cmdk chooses by an event that a row hears only once its effects have run, so an early Enter would be lost. */
  function choose(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('[role=option][aria-selected=true]')?.click()
  }

  return (
    <Menu
      label="Commands"
      shouldFilter={false}
      loop
      vimBindings={false}
      value={chosen ?? first}
      onValueChange={(value) => isMoving && setChosen(value)}
      onKeyDown={choose}
      onKeyDownCapture={({ key }) => setMoving(/^(Arrow(Up|Down)|Home|End)$/.test(key))}
      onPointerMoveCapture={() => setMoving(true)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-5 shrink-0 text-muted" aria-hidden="true" />
        <Menu.Input
          ref={input}
          value={typed}
          onValueChange={type}
          maxLength={SEARCH_MAX}
          placeholder={placeholder}
          dir="auto"
          className="h-13 min-w-0 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-muted"
        />
        {isBusy && <Ring className="size-4 animate-appear text-muted" />}
        <Radix.Close className="rounded-sm px-2 py-1 text-sm font-medium text-muted hover:text-ink pointer-coarse:py-3">
          Close
        </Radix.Close>
      </div>
      <Menu.List
        label="Commands and results"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
      >
        {children}
      </Menu.List>
    </Menu>
  )
}

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Menu.Group
      heading={heading}
      className="mb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Menu.Group>
  )
}

type RowProps = {
  value: string
  icon: ReactNode
  keys?: string | undefined
  onChoose: () => void
  children: ReactNode
}

function Row({ value, icon, keys, onChoose, children }: RowProps) {
  return (
    <Menu.Item
      value={value}
      onSelect={onChoose}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm text-ink aria-selected:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 flex-1 break-words">{children}</span>
      {keys !== undefined && (
        <kbd className="pointer-coarse:hidden rounded-sm border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs text-muted">
          {keys}
        </kbd>
      )}
    </Menu.Item>
  )
}

function ActionRow({ action }: { action: Action }) {
  return (
    <Row value={action.id} icon={<ArrowRight />} keys={writtenKey(action)} onChoose={action.run}>
      {action.name}
    </Row>
  )
}

function Hit({ hit, onChoose }: { hit: SearchHit; onChoose: () => void }) {
  const Icon = hitIcons[hit.kind]
  return (
    <Row value={hit._id} icon={<Icon aria-hidden="true" />} onChoose={onChoose}>
      <span dir="auto" className="block truncate font-medium">
        <Marked {...hit.title} />
        {hit.isDraft && <span className="text-muted"> · Draft</span>}
      </span>
      {hit.kind !== 'project' && (
        <span className="block truncate text-xs text-muted">
          <VisuallyHidden>in </VisuallyHidden>
          <bdi>{hit.milestone ? `${hit.project.title} › ${hit.milestone.title}` : hit.project.title}</bdi>
        </span>
      )}
    </Row>
  )
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)

  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])

  return settled
}
