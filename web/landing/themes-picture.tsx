import { clsx } from 'clsx'
import { Moon, Sun } from 'lucide-react'
import { ProgressBar } from '#web/ui/progress-bar.tsx'

/** Two phones with the same page, one by day and one by night. */
export function ThemesPicture() {
  return (
    <div className="flex max-w-md pb-6">
      <Phone scheme="light" />
      <Phone scheme="dark" />
    </div>
  )
}

function Phone({ scheme }: { scheme: 'light' | 'dark' }) {
  const Icon = scheme === 'light' ? Sun : Moon
  return (
    <div
      className={clsx(
        'w-1/2 max-w-44 rounded-xl border-4 border-line bg-surface p-4 text-ink shadow-lg',
        scheme === 'light' ? 'scheme-light' : '-ml-3 translate-y-6 scheme-dark',
      )}
    >
      <Icon className="ml-auto size-4 text-muted" />
      <p className="mt-3 font-reading font-medium">Every station of the night train</p>
      <ProgressBar value={60} className="mt-3" />
      <div className="mt-4 flex flex-col gap-2.5">
        {['Vienna', 'Villach', 'Udine', 'Venice'].map((station, index) => (
          <p key={station} className="flex items-center gap-2.5 text-sm">
            <span
              className={clsx(
                'size-2.5 rounded-full border-2',
                index < 3 ? 'border-ink bg-ink' : 'border-edge',
              )}
            />
            {station}
          </p>
        ))}
      </div>
    </div>
  )
}
