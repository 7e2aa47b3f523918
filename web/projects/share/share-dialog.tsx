import { Lightbulb } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { useUpdateProject } from '#web/projects/mutations.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field, TextInput } from '#web/ui/controls/field.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { PlatformList } from './platform-list.tsx'
import { type Platform, platforms, publicLink, shareUrl } from './share-links.ts'

type ShareDialogProps = {
  project: Project
  /** The right to make the project public. */
  canPublish: boolean
  onClose: () => void
}

/** Shares a project's public link: by copying it, or on one, several or all platforms. */
export function ShareDialog({ project, canPublish, onClose }: ShareDialogProps) {
  const [selected, setSelected] = useState<readonly Platform[]>([])
  const [blocked, setBlocked] = useState(0)
  const link = publicLink(window.location.origin, project._id)

  function share(chosen: readonly Platform[]) {
    setBlocked(openShareWindows(chosen.map((platform) => shareUrl(platform, { title: project.title, link }))))
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Share Project">
      <DialogBody>
        <div>
          <h3 className="font-reading text-lg font-medium">{project.title}</h3>
          <p className="mt-1 line-clamp-3 text-sm text-muted">{project.description}</p>
        </div>
        {!project.isPublic && <NotPublicYet project={project} canPublish={canPublish} />}
        <div className="flex items-end gap-2.5">
          <Field label="Direct link" className="min-w-0 flex-1">
            <TextInput readOnly value={link} onFocus={(event) => event.target.select()} />
          </Field>
          <CopyButton text={link} label="Copy link" size="md" />
        </div>
        <PlatformList selected={selected} onSelect={setSelected} onShare={(platform) => share([platform])} />
        {blocked > 0 && (
          <Banner>
            Your browser held back {blocked === 1 ? 'a window' : `${blocked} windows`}. Allow pop-ups for this
            site, or share to one platform at a time.
          </Banner>
        )}
        <p className="flex gap-2 text-sm text-muted">
          <Lightbulb className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          Tip: the project must be public for others to view it.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button className="max-sm:w-full" onClick={() => share(platforms)}>
          Share to All Platforms
        </Button>
        <Button
          variant="primary"
          className="max-sm:w-full"
          disabled={selected.length === 0}
          onClick={() => share(selected)}
        >
          Share to Selected ({selected.length})
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Says that the link of a private project does not work for others, with a button to publish it. */
function NotPublicYet({ project, canPublish }: { project: Project; canPublish: boolean }) {
  const { mutate } = useUpdateProject(project._id)
  const { title, description, version } = project

  return (
    <Banner tone="info">
      <p>This project is private, so nobody else can open the link yet.</p>
      {canPublish && (
        <Button
          size="sm"
          className="mt-2"
          onClick={() => mutate({ fields: { title, description, isPublic: true }, version })}
        >
          Make it public
        </Button>
      )}
    </Banner>
  )
}

const FEATURES = 'popup,width=600,height=400'

/** Opens each URL in a popup window. Returns how many the browser blocked. */
function openShareWindows(urls: readonly string[]): number {
  let blocked = 0
  for (const url of urls) {
    const opened = window.open(url, '_blank', FEATURES)
    // Not by `noopener`, which would hide whether the window opened at all.
    if (opened) opened.opener = null
    else blocked += 1
  }
  return blocked
}
