import { Link } from 'react-router'

/** A breadcrumb trail; every step but the last is a link. On a phone it wraps like text, and only the last step is truncated. */
export function Breadcrumb({ steps }: { steps: readonly { label: string; to?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3 text-sm text-muted">
      <ol className="gap-x-2 sm:flex sm:items-center">
        {steps.map(({ label, to }, index) => (
          <li
            key={`${index}-${label}`}
            className="min-w-0 items-center gap-2 last:min-w-18 last:shrink-3 max-sm:inline sm:flex"
          >
            {index > 0 && (
              <span
                className="w-3 shrink-0 border-t border-edge max-sm:mx-1.5 max-sm:inline-block max-sm:align-middle"
                aria-hidden="true"
              />
            )}
            {to ? (
              <Link
                to={to}
                dir="auto"
                className="rounded-sm wrap-anywhere hover:text-ink hover:underline sm:max-w-60 sm:truncate"
              >
                {label}
              </Link>
            ) : (
              <span
                aria-current="page"
                dir="auto"
                className="max-w-[min(15rem,100%)] truncate text-ink max-sm:inline-block max-sm:align-bottom"
              >
                {label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
