const taskBox = / data-task="(\d+)"( checked="")?>/g

/** Returns rendered HTML as if no task in it were done. Two texts that differ only in their ticks have the same. */
export const withoutTicks = (html: string): string =>
  html.replace(taskBox, (_all, offset: string) => ` data-task="${offset}">`)

/** Returns rendered HTML with one task done, or not done. */
export const withTick = (html: string, offset: number, isDone: boolean): string =>
  html.replace(taskBox, (all, found: string) =>
    Number(found) === offset ? ` data-task="${found}"${isDone ? ' checked=""' : ''}>` : all,
  )

/** Returns for each task of rendered HTML, by its offset in the source, whether it is done. */
export const ticksOf = (html: string): Map<string, boolean> =>
  new Map(Array.from(html.matchAll(taskBox), ([, offset = '', checked]) => [offset, checked !== undefined]))
