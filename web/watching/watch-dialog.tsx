import { useId } from 'react'
import type { Project } from '#contract/projects.ts'
import type { WatchLevel } from '#contract/watching.ts'
import { Dialog, DialogBody } from '#web/ui/dialogs/dialog.tsx'
import { useChangeWatch, useWatch } from './queries.ts'

const levels: { level: WatchLevel; label: string; hint: string }[] = [
  {
    level: 'all',
    label: 'All news',
    hint: 'New entries, milestones that are due or reached, and mentions of you.',
  },
  { level: 'mentions', label: 'Mentions', hint: 'Entries that name you with an @, such as @Ada.' },
  { level: 'none', label: 'Nothing', hint: 'Invitations and changes of your role are still announced.' },
]

/** The dialog in which a member chooses which news of a project they hear. */
export function WatchDialog({
  project: { _id: projectId, title },
  onClose,
}: {
  project: Project
  onClose: () => void
}) {
  const name = useId()
  const watch = useWatch(projectId)
  const { mutate } = useChangeWatch(projectId)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Notifications"
      description={
        <span dir="auto" className="line-clamp-2">
          {title}
        </span>
      }
    >
      <DialogBody>
        <fieldset className="flex flex-col gap-3 pointer-coarse:gap-1.5" disabled={watch === undefined}>
          <legend className="mb-3 text-sm text-muted">
            What you hear of this project. You never hear of what you did yourself.
          </legend>
          {levels.map(({ level, label, hint }) => (
            <div key={level} className="text-sm">
              <label className="inline-flex cursor-pointer items-start gap-2.5 py-1 pointer-coarse:py-2.5">
                <input
                  type="radio"
                  name={name}
                  className="mt-0.5 size-4 accent-accent"
                  checked={watch?.level === level}
                  aria-describedby={`${name}-${level}`}
                  onChange={() => mutate(level)}
                />
                <span className="font-medium">{label}</span>
              </label>
              <p id={`${name}-${level}`} className="pl-6.5 text-muted pointer-coarse:-mt-1.5">
                {hint}
              </p>
            </div>
          ))}
        </fieldset>
      </DialogBody>
    </Dialog>
  )
}
