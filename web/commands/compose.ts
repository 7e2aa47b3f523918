/**
 * What the composer opens: an entry of this milestone, or a new entry without `entryId`; `null` for a new entry in the
 * person's usual milestone. `draftId` continues the draft of a new entry, in its milestone or else the usual one.
 */
export type Composition =
  | { projectId: string; milestoneId: string; entryId?: string | undefined; draftId?: string | undefined }
  | { draftId: string }
  | null

type Host = { show: (composition: Composition) => void; preload: () => void }

let host: Host | undefined

/** Opens the composer above whatever page is shown. */
export const compose = (composition: Composition): void => host?.show(composition)

const preload = () => host?.preload()

/** Handlers for a control that opens the composer: fetch its code when the pointer or the focus arrives. */
export const composerPreloadProps = { onPointerEnter: preload, onFocus: preload }

/** Registers what shows the composer; returns the function that unregisters it. */
export function hostComposer(of: Host): () => void {
  host = of
  return () => {
    host = undefined
  }
}
