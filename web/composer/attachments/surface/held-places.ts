import { StateEffect, StateField } from '@codemirror/state'

export const hold = StateEffect.define<{ key: number; at: number }>({
  map: ({ key, at }, changes) => ({ key, at: changes.mapPos(at, -1) }),
})
export const letGo = StateEffect.define<number>()

/** The positions of files without ids. */
export const heldPlaces = StateField.define<ReadonlyMap<number, number>>({
  create: () => new Map(),
  update(places, transaction) {
    const { effects, changes, docChanged } = transaction
    // Files stay above what is typed there meanwhile, and below files that were added before them.
    const side = transaction.isUserEvent('input.files') ? 1 : -1
    const isHeld = effects.some((effect) => effect.is(hold) || effect.is(letGo))
    if (!isHeld && (!docChanged || places.size === 0)) return places
    const next = new Map([...places].map(([key, at]) => [key, docChanged ? changes.mapPos(at, side) : at]))
    for (const effect of effects) {
      if (effect.is(hold)) next.set(effect.value.key, effect.value.at)
      if (effect.is(letGo)) next.delete(effect.value)
    }
    return next
  },
})
