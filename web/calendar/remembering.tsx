import { useState } from 'react'
import { Checkbox } from '#web/ui/controls/field.tsx'
import { useRemembering } from './mutations.ts'

type RememberingProps = { projectId: string; isRemembered: boolean }

/** Whether the user's dashboard shows entries of this project on their anniversaries. */
export function Remembering({ projectId, isRemembered }: RememberingProps) {
  const choose = useRemembering()
  const [chosen, setChosen] = useState<boolean | null>(null)

  async function change(isChosen: boolean) {
    setChosen(isChosen)
    await choose(projectId, isChosen)
    setChosen(null)
  }

  return (
    <Checkbox
      className="mt-10 border-t border-line pt-5"
      label="Remind me on my dashboard of what happened on this day"
      hint="For this project, and only for you."
      checked={chosen ?? isRemembered}
      onChange={({ target }) => void change(target.checked)}
      data-print="hidden"
    />
  )
}
