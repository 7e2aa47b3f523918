import { Rss } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { buttonClass } from '#web/ui/controls/button.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { worldFollowPath } from '#web/world/paths.ts'

const FollowDialog = dialogOnDemand(async () => (await import('./follow-dialog.tsx')).FollowDialog)

/** Opens the dialog about the project's feeds. Without scripts, and in another tab, it is a link to a page with the same. */
export function FollowButton({ projectId, title }: { projectId: string; title: string }) {
  const [isOpen, setIsOpen] = useState(false)

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    setIsOpen(true)
  }

  return (
    <>
      <a
        href={worldFollowPath(projectId)}
        aria-haspopup="dialog"
        className={buttonClass({ size: 'sm' })}
        onClick={open}
        {...FollowDialog.preloadProps}
      >
        <Rss aria-hidden="true" />
        Follow
      </a>
      {isOpen && <FollowDialog projectId={projectId} title={title} onClose={() => setIsOpen(false)} />}
    </>
  )
}
