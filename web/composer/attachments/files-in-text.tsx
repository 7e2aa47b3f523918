import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { type Control, useWatch } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import type { ProjectFile } from '#contract/files.ts'
import { isOutOfReach, useConnectionBack } from '#web/api/connection-back.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { uploadsOf } from '#web/files/page-uploads.ts'
import { filesQuery } from '#web/files/queries.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EntryFiles } from './entry-files.ts'
import { FileCard, WaitingFilesCard } from './file-card.tsx'
import { MediaBlockView } from './surface/media-block.tsx'
import { type ShownItem, shownItems } from './surface/media-blocks.ts'
import type { Mount } from './surface/media-widgets.ts'
import { itemKey } from './surface/surface.ts'

/** The files of the text in the composer; `undefined` while this server's settings are unknown. */
export function useEntryFiles(projectId: string): EntryFiles | undefined {
  const { user } = useSession()
  const limits = useServerOptions()?.entries.files
  const [files] = useState(() =>
    user && limits ? new EntryFiles({ projectId, queue: uploadsOf(user._id), limits }) : undefined,
  )
  useEffect(() => () => files?.close(), [files])
  return files
}

/** Returns the references to files in the text that is being written. Other changes of the text render nothing. */
export const useWrittenItems = (control: Control<EntryText, unknown, EntryFields>): readonly ShownItem[] =>
  useWatch({ control, name: 'content', compute: shownItems })

/** The files of a text on the server, by id; `null` for missing ones. */
export type StoredFiles = ReadonlyMap<string, ProjectFile | null>

/** Returns the files with these ids, which may repeat, from the server or from an upload that has just completed. */
export function useStoredFiles(files: EntryFiles | undefined, wanted: readonly string[]): StoredFiles {
  const { projectId = '', queue } = files ?? {}
  const key = [...new Set(wanted)]
    .filter((id) => !queue?.find(id))
    .sort()
    .join()
  const ids = useMemo(() => (key === '' ? [] : key.split(',')), [key])
  const { data } = useQuery(filesQuery(projectId, ids))
  return useMemo(() => {
    const found = new Map<string, ProjectFile | null>(data ? ids.map((id) => [id, null]) : [])
    for (const file of data ?? []) found.set(file._id, file)
    return found
  }, [data, ids])
}

type FilesInTextProps = {
  files: EntryFiles
  control: Control<EntryText, unknown, EntryFields>
  /** The choice of a cover, which is uploaded with the files of the text. */
  cover: string | null
  readOnly: boolean
  /** Whether the text has no widgets, so that files are listed below it. */
  isPlain: boolean
  text: () => TextHandle | null
}

/** The cards of the files of a text, in the text or in a list below a plain text area, and the refused files. */
export function FilesInText({ files, control, cover, readOnly, isPlain, text }: FilesInTextProps) {
  const items = useWrittenItems(control)
  const ids = useMemo(() => items.map(({ id }) => id), [items])
  const stored = useStoredFiles(files, ids)
  const { arrivals: all, rejected } = useSyncExternalStore(files.subscribe, files.read)
  const { mounts, blocks } = useSyncExternalStore(files.surface.subscribe, files.surface.read)
  const arrivals = all.filter(({ cover }) => !cover)

  useEffect(() => files.keepTo(ids, cover), [files, ids, cover])

  const isWaiting = all.some(({ error }) => isOutOfReach(error))
  useConnectionBack(isWaiting, () => files.arrivals.retry())

  function shownIn({ target }: Mount) {
    if ('arrival' in target) {
      const arrival = arrivals.find(({ key }) => key === target.arrival)
      return arrival && <WaitingFilesCard files={files} arrival={arrival} />
    }
    const block = blocks.get(target.block)
    return (
      block && <MediaBlockView files={files} block={block} stored={stored} readOnly={readOnly} text={text} />
    )
  }

  return (
    <>
      {mounts.map((mount) => {
        const { target } = mount
        const key = 'arrival' in target ? `arrival ${target.arrival}` : `block ${target.block}`
        return createPortal(shownIn(mount), mount.element, key)
      })}
      {isPlain && (items.length > 0 || arrivals.length > 0) && (
        <section aria-label="Files of this entry">
          {items.map((item) => (
            <FileCard
              key={itemKey(item)}
              files={files}
              item={item}
              stored={files.queue.find(item.id)?.file ?? stored.get(item.id)}
              readOnly={readOnly}
            />
          ))}
          {arrivals.map((arrival) => (
            <WaitingFilesCard key={arrival.key} files={files} arrival={arrival} />
          ))}
        </section>
      )}
      <div aria-live="polite" className="empty:hidden">
        {rejected.length > 0 && (
          <Banner>
            <div className="flex items-start gap-2">
              <ul className="min-w-0 flex-1">
                {rejected.map(({ name, message }) => (
                  <li key={`${name} ${message}`}>{message}</li>
                ))}
              </ul>
              {rejected.some(({ file }) => file) && (
                <Button size="sm" onClick={() => files.retryRefused()}>
                  Try again
                </Button>
              )}
              <IconButton
                size="sm"
                label="Dismiss"
                icon={<X />}
                onClick={() => files.dismissRejected()}
                className="-my-1"
              />
            </div>
          </Banner>
        )}
      </div>
    </>
  )
}
