import { Link } from 'react-router'
import { Wordmark } from '#web/ui/logo.tsx'

const linkClass = 'rounded-sm py-2 hover:text-ink hover:underline'

/** Who made this. */
export function Footer({ year }: { year: number }) {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-wide flex-wrap items-center gap-x-8 gap-y-2 px-4 py-8 text-sm text-muted sm:px-6">
        <Wordmark />
        <Link to="/markdown-guide" className={`${linkClass} ml-auto`}>
          Markdown guide
        </Link>
        <p>
          © {year}{' '}
          <Link to="/about" rel="author" className={linkClass}>
            The Milepost authors
          </Link>
        </p>
      </div>
    </footer>
  )
}
