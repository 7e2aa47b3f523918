import { callCommands, usageOf } from './call-commands.ts'

const HELP = `milepost: write down what happens in your projects, from the command line.

  milepost login https://your-server     reads an access token (Settings › Access tokens) from the keyboard or stdin
  milepost logout
  milepost add "soldered the board" -p radio -m receiver -i photo.jpg [--title …] [--tag …] [--date …] [--draft]
  milepost add - -p radio                reads the text from stdin
  milepost add … --date 2026-03-04       of that day; “--date picture” takes the day of its first picture with one
  milepost list                          your projects
  milepost list -p radio                 the last entries of one
  milepost search WORDS… [--kind entry] [--page 2]     finds in all that you may see; filters as in tag:glue before:2026-01-31
  milepost export [file.zip]             everything of yours; “-” writes to stdout
  milepost export [file] -p radio [--format archive|md|epub|site]     one project; --entry ID: one entry (md or epub)
  milepost export [file] -p radio --format site [--search] [--base URL]     with a page that searches it; with feeds
  milepost export … --history            an archive with the earlier versions of entries
  milepost mirror DIR [-p radio]         your projects as Markdown in a git repository: a commit for each change
  milepost import FILE [--yes]           what FILE would become; with --yes it is imported, private
  milepost import FILE --yes --pictures  with copies of the pictures that its texts show from websites
  milepost import --undo ID              deletes what an import has created, within a week
  milepost import --cancel ID            forgets one that was not agreed to

Every command takes --json. -p and -m take a title, the beginning of one, or an id.
MILEPOST_URL and MILEPOST_TOKEN come before what login has kept. For programs, these calls of the API too:

${callCommands.map((command) => `  milepost ${command.name} ${usageOf(command)}\n      ${command.summary}`).join('\n')}`

/** Whether an option asks how a command is used. */
export const isHelpOption = (option: string): boolean => option === '--help' || option === '-h'

/** Returns the lines of the help about a command; all of it if there is no such command. */
export function helpOf(name: string | undefined): string {
  const lines = HELP.split('\n')
  const own = lines.flatMap((line, at) => {
    if (!`${line} `.startsWith(`  milepost ${name} `)) return []
    const summary = lines[at + 1] ?? ''
    return summary.startsWith('      ') ? [line, summary] : [line]
  })
  return own.length > 0 ? own.join('\n') : HELP
}
