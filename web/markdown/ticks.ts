const taskBox = / data-task="(\d+)"( checked="")?>/g

/** Returns rendered HTML with all tasks unticked, which is equal for two texts that differ only in their ticks. */
export const withoutTicks = (html: string): string =>
  html.replace(taskBox, (_all, offset: string) => ` data-task="${offset}">`)

/** Returns rendered HTML with one task ticked or unticked. */
export const withTick = (html: string, offset: number, isDone: boolean): string =>
  html.replace(taskBox, (all, found: string) =>
    Number(found) === offset ? ` data-task="${found}"${isDone ? ' checked=""' : ''}>` : all,
  )

/** Returns whether each task of rendered HTML is done, by the task's offset in the source. */
export const ticksOf = (html: string): Map<string, boolean> =>
  new Map(Array.from(html.matchAll(taskBox), ([, offset = '', checked]) => [offset, checked !== undefined]))

/**
 * Returns the HTML of a text after it became another one: the same for the same text, ticked if the texts differ only in ticks;
 * undefined if it has to be rendered.
 */
export function htmlAfter(html: string | undefined, before: string, after: string): string | undefined {
  if (html === undefined || before === after) return html
  let [text, ticked] = [before, html]
  for (const [offset, wasDone] of ticksOf(html)) {
    const at = Number(offset)
    const mark = after.charAt(at)
    const isDone = mark === 'x' || mark === 'X'
    if (isDone === wasDone) continue
    text = text.slice(0, at) + mark + text.slice(at + 1)
    ticked = withTick(ticked, at, isDone)
  }
  return text === after ? ticked : undefined
}
