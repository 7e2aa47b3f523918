import type { Edit, Selected } from './edits.ts'
import { indentItems } from './list-indent.ts'
import { tabInTable } from './tables.ts'

export type TabKey = ReturnType<typeof createTabKey>

/** Says how to leave a list by keyboard; for screen readers, as the description of the text. */
export const TAB_HINT =
  'In a list, Tab moves an item in and Shift+Tab out; in a table, it goes to the next cell. Press Escape, then Tab to leave the text.'

/** The Tab key of a text: in tables it goes to the next cell, in lists it moves items, unless Escape was pressed before, so that the focus can leave. */
export function createTabKey() {
  let leaves = false
  return {
    /** Lets the next Tab leave; returns false if it would anyway. */
    release(selected: Selected): boolean {
      if (leaves || !(tabInTable(1)(selected) ?? indentItems(1)(selected))) return false
      leaves = true
      return true
    },
    /** Returns the edit of Tab, if it does not leave. */
    edit: (direction: 1 | -1, selected: () => Selected): Edit | null =>
      leaves ? null : (tabInTable(direction)(selected()) ?? indentItems(direction)(selected())),
    /** Called for every other key: Tab moves items again. */
    reset() {
      leaves = false
    },
  }
}
