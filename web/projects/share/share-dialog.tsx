import { ArrowUpRight, ExternalLink, Mail } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { ReadableAddress } from '#web/addresses/readable-address.tsx'
import { ReadersSettings } from '#web/followers/readers-settings.tsx'
import { usePublishProject } from '#web/projects/mutations.ts'
import { ShareLinks } from '#web/shares/share-links.tsx'
import { Button, IconButton, LinkButton } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Field } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { type Platform, platforms, publicLink, shareUrl } from './share-links.ts'

type ShareDialogProps = {
  project: Project
  /** Whether the user may make the project public. */
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
        {project.isPublic ? (
          <div className="text-sm text-muted">
            <Tip />
          </div>
        ) : (
          <NotPublicYet project={project} canPublish={canPublish} />
        )}
        <div>
          <Field label="Direct link">
            <TextInput readOnly value={link} onFocus={({ target }) => selectFromStart(target)} />
          </Field>
          <div className="mt-2.5 flex flex-wrap gap-2.5 max-sm:*:flex-1">
            <CopyButton text={link} label="Copy link" size="md" variant="primary" />
            {project.isPublic && (
              <LinkButton to={`/world/${project._id}`} target="_blank" icon={<ArrowUpRight />}>
                Open page
              </LinkButton>
            )}
          </div>
        </div>
        <PlatformList selected={selected} onSelect={setSelected} onShare={(platform) => share([platform])} />
        {blocked > 0 && (
          <Banner>
            Your browser held back {blocked === 1 ? 'a window' : `${blocked} windows`}. Allow pop-ups for this
            site, or share to one platform at a time.
          </Banner>
        )}
        {canPublish && <ReadableAddress projectId={project._id} />}
        {canPublish && <ShareLinks projectId={project._id} />}
        {canPublish && <ReadersSettings project={project} />}
      </DialogBody>
      <DialogFooter>
        <Button variant="quiet" className={footerButtonClass} onClick={() => share(platforms)}>
          Share to All Platforms
        </Button>
        <Button
          variant={selected.length === 0 ? 'quiet' : 'primary'}
          className={footerButtonClass}
          disabled={selected.length === 0}
          onClick={() => share(selected)}
        >
          Share to Selected ({selected.length})
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** On a phone the two share a row, unless the text is large. */
const footerButtonClass = 'max-sm:grow max-sm:px-2'

/**
 * Explains that the link of a private project does not work for others, with a button that publishes it and what others will see.
 */
function NotPublicYet({ project, canPublish }: { project: Project; canPublish: boolean }) {
  const publish = usePublishProject(project._id)

  return (
    <Banner tone="info">
      <Tip />
      {canPublish && (
        <Button size="sm" className="mt-2" onClick={publish}>
          Make it public
        </Button>
      )}
      {canPublish && (
        <p className="mt-2 text-muted">
          Then its milestones, its published entries with their pictures, and the names of its authors can be
          read by anyone. Drafts stay yours alone.
        </p>
      )}
    </Banner>
  )
}

/** As specified, also for a project that is public. */
const Tip = () => <p>Tip: the project must be public for others to view it.</p>

/** Selects the whole text and keeps its beginning in view. */
function selectFromStart(input: HTMLInputElement) {
  input.setSelectionRange(0, input.value.length, 'backward')
  input.scrollLeft = 0
}

const FEATURES = 'popup,width=600,height=400'

/** Opens each URL in a popup window. Returns how many the browser blocked. */
function openShareWindows(urls: readonly string[]): number {
  let blocked = 0
  for (const url of urls) {
    const opened = window.open(url, '_blank', FEATURES)
    // Without `noopener`, which would hide whether the window opened at all.
    if (opened) opened.opener = null
    else blocked += 1
  }
  return blocked
}

type PlatformListProps = {
  selected: readonly Platform[]
  onSelect: (selected: readonly Platform[]) => void
  onShare: (platform: Platform) => void
}

/** The platforms, each with a checkbox for sharing to several, and a button that opens it immediately. */
function PlatformList({ selected, onSelect, onShare }: PlatformListProps) {
  function toggle(platform: Platform, on: boolean) {
    onSelect(platforms.filter((other) => (other === platform ? on : selected.includes(other))))
  }

  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Platforms</legend>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-2">
        {platforms.map((platform) => (
          <li
            key={platform}
            className="flex items-center rounded-md border border-line has-checked:border-accent has-checked:bg-accent-soft"
          >
            <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 py-2.5 pl-2.5 text-sm max-sm:gap-1.5 font-medium sm:gap-2.5 sm:pl-3 [&_svg]:size-4 [&_svg]:shrink-0">
              <input
                type="checkbox"
                className="checkbox"
                checked={selected.includes(platform)}
                onChange={(event) => toggle(platform, event.target.checked)}
              />
              <PlatformIcon platform={platform} />
              {platform}
            </label>
            <IconButton
              label={platform === 'Email' ? 'Share by Email' : `Share on ${platform}`}
              icon={<ExternalLink />}
              className="max-sm:-ml-2"
              onClick={() => onShare(platform)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** The logos from Simple Icons (CC0 1.0). */
const marks: { [platform in Exclude<Platform, 'Email'>]: string } = {
  X: 'M14.234 10.162 22.977 0h-2.072l-7.591 8.824L7.251 0H.258l9.168 13.343L.258 24H2.33l8.016-9.318L16.749 24h6.993zm-2.837 3.299-.929-1.329L3.076 1.56h3.182l5.965 8.532.929 1.329 7.754 11.09h-3.182z',
  Facebook:
    'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
  LinkedIn:
    'M20.447 20.452h-3.554v-5.569c0-1.328-.027-3.037-1.852-3.037-1.853 0-2.136 1.445-2.136 2.939v5.667H9.351V9h3.414v1.561h.046c.477-.9 1.637-1.85 3.37-1.85 3.601 0 4.267 2.37 4.267 5.455v6.286zM5.337 7.433a2.062 2.062 0 0 1-2.063-2.065 2.064 2.064 0 1 1 2.063 2.065zm1.782 13.019H3.555V9h3.564v11.452zM22.225 0H1.771C.792 0 0 .774 0 1.729v20.542C0 23.227.792 24 1.771 24h20.451C23.2 24 24 23.227 24 22.271V1.729C24 .774 23.2 0 22.222 0h.003z',
  WhatsApp:
    'M17.472 14.382c-.297-.149-1.758-.867-2.03-.967-.273-.099-.471-.148-.67.15-.197.297-.767.966-.94 1.164-.173.199-.347.223-.644.075-.297-.15-1.255-.463-2.39-1.475-.883-.788-1.48-1.761-1.653-2.059-.173-.297-.018-.458.13-.606.134-.133.298-.347.446-.52.149-.174.198-.298.298-.497.099-.198.05-.371-.025-.52-.075-.149-.669-1.612-.916-2.207-.242-.579-.487-.5-.669-.51-.173-.008-.371-.01-.57-.01-.198 0-.52.074-.792.372-.272.297-1.04 1.016-1.04 2.479 0 1.462 1.065 2.875 1.213 3.074.149.198 2.096 3.2 5.077 4.487.709.306 1.262.489 1.694.625.712.227 1.36.195 1.871.118.571-.085 1.758-.719 2.006-1.413.248-.694.248-1.289.173-1.413-.074-.124-.272-.198-.57-.347m-5.421 7.403h-.004a9.87 9.87 0 01-5.031-1.378l-.361-.214-3.741.982.998-3.648-.235-.374a9.86 9.86 0 01-1.51-5.26c.001-5.45 4.436-9.884 9.888-9.884 2.64 0 5.122 1.03 6.988 2.898a9.825 9.825 0 012.893 6.994c-.003 5.45-4.437 9.884-9.885 9.884m8.413-18.297A11.815 11.815 0 0012.05 0C5.495 0 .16 5.335.157 11.892c0 2.096.547 4.142 1.588 5.945L.057 24l6.305-1.654a11.882 11.882 0 005.683 1.448h.005c6.554 0 11.89-5.335 11.893-11.893a11.821 11.821 0 00-3.48-8.413Z',
  Reddit:
    'M12 0C5.373 0 0 5.373 0 12c0 3.314 1.343 6.314 3.515 8.485l-2.286 2.286C.775 23.225 1.097 24 1.738 24H12c6.627 0 12-5.373 12-12S18.627 0 12 0Zm4.388 3.199c1.104 0 1.999.895 1.999 1.999 0 1.105-.895 2-1.999 2-.946 0-1.739-.657-1.947-1.539v.002c-1.147.162-2.032 1.15-2.032 2.341v.007c1.776.067 3.4.567 4.686 1.363.473-.363 1.064-.58 1.707-.58 1.547 0 2.802 1.254 2.802 2.802 0 1.117-.655 2.081-1.601 2.531-.088 3.256-3.637 5.876-7.997 5.876-4.361 0-7.905-2.617-7.998-5.87-.954-.447-1.614-1.415-1.614-2.538 0-1.548 1.255-2.802 2.803-2.802.645 0 1.239.218 1.712.585 1.275-.79 2.881-1.291 4.64-1.365v-.01c0-1.663 1.263-3.034 2.88-3.207.188-.911.993-1.595 1.959-1.595Zm-8.085 8.376c-.784 0-1.459.78-1.506 1.797-.047 1.016.64 1.429 1.426 1.429.786 0 1.371-.369 1.418-1.385.047-1.017-.553-1.841-1.338-1.841Zm7.406 0c-.786 0-1.385.824-1.338 1.841.047 1.017.634 1.385 1.418 1.385.785 0 1.473-.413 1.426-1.429-.046-1.017-.721-1.797-1.506-1.797Zm-3.703 4.013c-.974 0-1.907.048-2.77.135-.147.015-.241.168-.183.305.483 1.154 1.622 1.964 2.953 1.964 1.33 0 2.47-.81 2.953-1.964.057-.137-.037-.29-.184-.305-.863-.087-1.795-.135-2.769-.135Z',
}

/** A platform's logo, in the color of the surrounding text. */
function PlatformIcon({ platform }: { platform: Platform }) {
  if (platform === 'Email') return <Mail aria-hidden="true" />
  return (
    <svg viewBox="0 0 24 24" className="fill-current" aria-hidden="true">
      <path d={marks[platform]} />
    </svg>
  )
}
