import { useEffect, useEffectEvent } from 'react'

/** The project that was created in this page and has not been opened yet; after a reload or Back no dialog opens. */
let created: string | null = null

/** Starts the first steps: the dialogs that follow each other once a newly created project is opened. */
export function beginFirstSteps(projectId: string): void {
  created = projectId
}

type FirstSteps = {
  projectId: string
  /** Whether the rights are known, and there is no milestone yet. */
  canBegin: boolean
  addMilestone: () => void
}

/** In a newly created project, opens the dialog of its first milestone. */
export function useFirstSteps({ projectId, canBegin, addMilestone }: FirstSteps): void {
  const begin = useEffectEvent(addMilestone)

  useEffect(() => {
    if (!canBegin || created !== projectId) return
    created = null
    begin()
  }, [canBegin, projectId])
}
