import { useEffect, useEffectEvent } from 'react'

/** The project that was created in this page and has not been opened yet; a reload or Back opens no dialog. */
let created: string | null = null

/** Lets the first steps follow each other once a project that was just created is opened. */
export function beginFirstSteps(projectId: string): void {
  created = projectId
}

type FirstSteps = {
  projectId: string
  /** The rights are known, and there is no milestone yet. */
  canBegin: boolean
  addMilestone: () => void
}

/** In a project that was just created, opens the dialog of its first milestone. */
export function useFirstSteps({ projectId, canBegin, addMilestone }: FirstSteps): void {
  const begin = useEffectEvent(addMilestone)

  useEffect(() => {
    if (!canBegin || created !== projectId) return
    created = null
    begin()
  }, [canBegin, projectId])
}
