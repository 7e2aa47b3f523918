import { ExternalLink } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PlatformIcon } from './platform-icon.tsx'
import { type Platform, platforms } from './share-links.ts'

type PlatformListProps = {
  selected: readonly Platform[]
  onSelect: (selected: readonly Platform[]) => void
  onShare: (platform: Platform) => void
}

/** The platforms, each to be ticked for sharing to several, or shared to at once. */
export function PlatformList({ selected, onSelect, onShare }: PlatformListProps) {
  function toggle(platform: Platform, on: boolean) {
    onSelect(platforms.filter((other) => (other === platform ? on : selected.includes(other))))
  }

  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Platforms</legend>
      <ul className="grid grid-cols-1 gap-2 min-[22rem]:grid-cols-2">
        {platforms.map((platform) => (
          <li
            key={platform}
            className="flex items-center rounded-md border border-line has-checked:border-accent has-checked:bg-accent-soft"
          >
            <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-2.5 pl-3 text-sm font-medium [&_svg]:size-4 [&_svg]:shrink-0">
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
              onClick={() => onShare(platform)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
