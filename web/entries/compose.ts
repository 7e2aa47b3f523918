/** What to write: an entry of this milestone, a new one without `entryId`; `null` where the person usually writes. */
export type Composition = { projectId: string; milestoneId: string; entryId?: string | undefined } | null

let open: (composition: Composition) => void = () => {}

/** Opens the composer above whatever page is shown. */
export const compose = (composition: Composition): void => open(composition)

/** Registers who shows the composer; returns a function that ends it. */
export function onCompose(show: (composition: Composition) => void): () => void {
  open = show
  return () => {
    open = () => {}
  }
}
