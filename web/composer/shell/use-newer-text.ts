import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Entry } from '#contract/entries.ts'
import { draftVersionQuery } from '#web/drafts/queries.ts'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import type { EntryFormHandle } from './entry-form.tsx'
import type { ChosenDraft } from './use-chosen-draft.ts'

type Options = {
  draft: ChosenDraft
  entryId: string | undefined
  /** The entry as it is now; absent for a new one. */
  original: Entry | undefined
}

/**
 * Opens an untouched form again when its draft was continued on another device, or its entry was saved there or by somebody else. Once
 * something was typed, the texts are merged or kept beside each other instead.
 */
export function useNewerText(
  form: RefObject<EntryFormHandle | null>,
  { draft, entryId, original }: Options,
): void {
  const { version = null, id: draftId } = draft.initialDraft?.sync ?? {}
  const { data: current } = useQuery({
    ...draftVersionQuery({ entryId, draftId }),
    initialData: version,
    enabled: () => form.current?.isUntouched() === true && (entryId !== undefined || version !== null),
  })
  const isMounted = useIsMounted()
  const focused = useRef<'title' | 'content'>(undefined)

  function check() {
    if (!isMounted() || !form.current?.isUntouched()) throw new DOMException('It is in use', 'AbortError')
  }

  function leave() {
    focused.current = focusedField()
    form.current?.giveWay()
  }

  const reopen = useEffectEvent(() => {
    // The text stays as it is, and saving it merges.
    draft.reopen(check, leave).catch(() => undefined)
  })

  useEffect(() => {
    const isDraftNewer = current !== null && current !== version
    const isEntryNewer = original !== undefined && form.current?.isOf(original) === false
    if (isDraftNewer || isEntryNewer) reopen()
  }, [form, current, version, original])

  const { openings } = draft
  useEffect(() => {
    if (openings > 0 && focused.current) form.current?.focus(focused.current)
  }, [form, openings])
}

/** Returns the field of the form that has the focus: the title for any other control. */
function focusedField(): 'title' | 'content' | undefined {
  const { activeElement } = document
  if (!activeElement?.closest('form')) return undefined
  return activeElement.matches('[contenteditable=true], textarea:not([name=title])') ? 'content' : 'title'
}
