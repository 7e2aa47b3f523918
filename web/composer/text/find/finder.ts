import { SearchCursor } from '@codemirror/search'
import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view'
import { searching } from '#web/composer/text/source-lines.ts'
import { comparableOf } from './comparable.ts'

/** What is looked for in a text, how many times it is there, and which of them is selected; 0 if none is. */
export type Found = { query: string; count: number; current: number }

/** The search in the text of an editor: finds also what is not drawn, of which the browser knows nothing. */
export type Finder = {
  subscribe: (listener: () => void) => () => void
  read: () => Found
  /** Looks for a text, and selects the first place from the caret on. */
  find: (query: string) => void
  /** Selects the next place, or the one before; after the last one comes the first. */
  go: (direction: 1 | -1) => void
  /** Ends the search; what was found last stays selected. */
  close: () => void
}

type Matches = { query: string; places: DecorationSet }

/** A query; the same one once more counts again, after the text was changed. */
const setQuery = StateEffect.define<string>()
const mark = Decoration.mark({ class: 'md-found' })
const selectedMark = Decoration.mark({ class: 'md-found md-found-selected' })
const NONE: Matches = { query: '', places: Decoration.none }

const matches = StateField.define<Matches>({
  create: () => NONE,
  update(current, { effects, docChanged, changes, newDoc }) {
    for (const effect of effects)
      if (effect.is(setQuery)) return { query: effect.value, places: placesOf(newDoc, effect.value) }
    return docChanged ? { ...current, places: current.places.map(changes) } : current
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ places }) => places),
    EditorView.decorations.compute([field, 'selection'], (state) => {
      const { from, to } = state.selection.main
      return indexOfSelected(state) === 0 ? Decoration.none : Decoration.set(selectedMark.range(from, to))
    }),
  ],
})

function placesOf(doc: Text, query: string): DecorationSet {
  if (comparableOf(query) === '') return Decoration.none
  const cursor = new SearchCursor(doc, query, 0, doc.length, comparableOf)
  const places: Range<Decoration>[] = []
  while (!cursor.next().done)
    if (cursor.value.precise) places.push(mark.range(cursor.value.from, cursor.value.to))
  return Decoration.set(places)
}

/** Returns the number of the place that is selected, from 1 on; 0 if none is. */
function indexOfSelected(state: EditorState): number {
  const { from, to } = state.selection.main
  let index = 0
  for (const place = state.field(matches).places.iter(); place.value && place.from <= from; place.next()) {
    index += 1
    if (place.from === from && place.to === to) return index
  }
  return 0
}

/** Returns the first place from a position on, or the last one that ends before it; null if there is none. */
function placeFrom(places: DecorationSet, position: number, direction: 1 | -1) {
  let found: { from: number; to: number } | null = null
  for (const place = places.iter(); place.value; place.next()) {
    const { from, to } = place
    if (direction === 1 && from >= position) return { from, to }
    if (direction === -1 && to > position) return found
    if (direction === -1) found = { from, to }
  }
  return found
}

/** How long nothing is typed into the text before the places in it are counted again. */
const PAUSE_MS = 200

/** Creates the search of an editor, once. */
export function createFinder(view: EditorView): Finder {
  const listeners = new Set<() => void>()
  let found: Found = { query: '', count: 0, current: 0 }

  function update(state: EditorState) {
    const { query, places } = state.field(matches)
    found = { query, count: places.size, current: indexOfSelected(state) }
    for (const listener of listeners) listener()
  }

  function select(place: { from: number; to: number } | null) {
    if (!place) return
    view.dispatch({
      selection: { anchor: place.from, head: place.to },
      effects: EditorView.scrollIntoView(place.from, { y: 'center' }),
      userEvent: 'select.search',
    })
  }

  view.dispatch({ effects: StateEffect.appendConfig.of([matches, countingAgain(update)]) })

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => found,
    find(query) {
      const { from } = view.state.selection.main
      view.dispatch({ effects: [setQuery.of(query), searching.of(true)] })
      const { places } = view.state.field(matches)
      select(placeFrom(places, from, 1) ?? placeFrom(places, 0, 1))
    },
    go(direction) {
      const { places } = view.state.field(matches)
      const { from, to } = view.state.selection.main
      const next =
        direction === 1 ? placeFrom(places, found.current > 0 ? to : from, 1) : placeFrom(places, from, -1)
      const first =
        direction === 1 ? placeFrom(places, 0, 1) : placeFrom(places, Number.POSITIVE_INFINITY, -1)
      select(next ?? first)
    },
    close() {
      view.dispatch({ effects: [setQuery.of(''), searching.of(false)] })
    },
  }
}

/** Calls `changed` with each state of a search, and counts its places again after the text was changed. */
function countingAgain(changed: (state: EditorState) => void): Extension {
  return ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => view.dispatch({ effects: setQuery.of(view.state.field(matches).query) })
    return {
      update({ docChanged, state, startState }) {
        const { query } = state.field(matches)
        if (docChanged && query !== '') {
          clearTimeout(timer)
          timer = setTimeout(count, PAUSE_MS)
        }
        const isSame = state.field(matches) === startState.field(matches, false)
        if (!isSame || (query !== '' && !state.selection.eq(startState.selection))) changed(state)
      },
      destroy: () => clearTimeout(timer),
    }
  })
}
