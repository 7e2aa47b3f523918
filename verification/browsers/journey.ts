import { randomBytes } from 'node:crypto'
import path from 'node:path'
import sharp from 'sharp'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import type { Screen } from './screen.ts'

const PASSWORD = 'Difference Engine 2'
const LINK = 'https://example.com/rye'
const WRITTEN = '# Loaf\n\nIt **rose**.\n\n- [ ] feed\n- [ ] bake\n\n'

/** The main job from the registration to the public page, in consecutive steps. */
export function stepsOf(screen: Screen, origin: string): { [step: string]: () => Promise<unknown> } {
  let projectPath = ''
  return {
    async register() {
      await screen.resize(1280, 900)
      await screen.open(`${origin}/register`)
      await screen.fill('Full Name', 'Ada Lovelace')
      await screen.fill('Email', `ada-${randomBytes(6).toString('hex')}@example.com`)
      await screen.fill('Password', PASSWORD)
      await screen.fill('Confirm Password', PASSWORD)
      await screen.press('I accept the terms and conditions')
      await screen.press('Create Account')
      await screen.isAt('/dashboard')
    },
    async 'create a public project'() {
      await screen.sees("You don't have any projects yet.")
      await screen.press('Create Project')
      await screen.fill('Project Title', 'Bread')
      await screen.fill('Description', 'One loaf at a time.')
      await screen.press('Make this project publicly viewable')
      await screen.press('Create Project')
      await screen.sees('Project created successfully')
      await screen.press('View Details')
      projectPath = new URL(String(await screen.isAt('/projects/'))).pathname
    },
    async 'create a milestone'() {
      await screen.press('Add Milestone')
      await screen.fill('Title', 'Sourdough')
      await screen.fill('Description', 'A loaf that rises.')
      await screen.press('Create Milestone')
      await screen.sees('Milestone created successfully')
    },
    async 'type a title and Markdown'() {
      await screen.press('Add your first entry')
      await screen.fill('Title', 'Rye')
      await screen.keys('Enter')
      await screen.type('# Loaf\n\nIt **rose**.\n\n- [ ] feed\nbake\n\n\n')
      await screen.holds(WRITTEN)
    },
    async 'type other scripts'() {
      await screen.type('にほん é 😀')
      await screen.holds(`${WRITTEN}にほん é 😀`)
    },
    async 'paste an address over a word'() {
      // WebKit's driver composes characters that no key has, and CodeMirror takes the next key for the end of the composition.
      await screen.keys('End')
      await screen.type(`\n${LINK}`)
      await screen.keys('Shift+Home')
      await screen.keys('Control+x')
      await screen.type('the recipe')
      await screen.keys('Control+Shift+ArrowLeft')
      await screen.keys('Control+v')
      await screen.holds(`${WRITTEN}にほん é 😀\nthe [recipe](${LINK})`)
    },
    async 'undo and redo'() {
      await screen.keys('Control+z')
      await screen.holds(`${WRITTEN}にほん é 😀\nthe recipe`)
      await screen.keys('Control+y')
      await screen.holds(`${WRITTEN}にほん é 😀\nthe [recipe](${LINK})`)
    },
    async 'pick a picture'() {
      await withTemporaryDirectory(async (folder) => {
        const file = path.join(folder, 'loaf.jpg')
        await sharp({ create: { width: 240, height: 160, channels: 3, background: '#b5763a' } }).toFile(file)
        await screen.choose('[aria-label=Pictures]', file)
        await screen.shows('[aria-label="Remove loaf.jpg"]', '')
        // The browser reads the file when it sends it.
        await screen.until('picture that was sent', () => !document.querySelector('.upload-progress'))
      })
    },
    async 'paste a picture'() {
      await screen.call(pastePicture)
      await screen.shows('[aria-label="Remove crumb.png"]', '')
    },
    async preview() {
      await screen.press('Preview')
      await screen.shows('[role=tabpanel] strong', 'rose')
      await screen.press('Edit')
    },
    async save() {
      await screen.press('Create Entry')
      await screen.sees('Entry created successfully')
    },
    async 'read the entry'() {
      await screen.press('Rye')
      await screen.shows('h1', 'Rye')
      await screen.shows('h2', 'Loaf')
      await screen.shows('strong', 'rose')
      await screen.shows(`a[href="${LINK}"]`, 'recipe')
      await screen.until('two pictures that are drawn', arePicturesDrawn)
    },
    async 'tick a task'() {
      await screen.press('feed')
      const entry = String(await screen.isAt(projectPath))
      await screen.until(
        'tick on the public page',
        async (url) => / checked[=>]/.test(await (await fetch(url)).text()),
        entry.replace('/projects/', '/world/').replace(/milestones\/[^/]+\//, ''),
      )
      await screen.open(entry)
      await screen.until('task that is ticked', () => document.querySelectorAll('input:checked').length)
    },
    async 'edit in a phone-sized window'() {
      await screen.resize(390, 700)
      await screen.press('Edit')
      await screen.press('Title')
      await screen.keys('Enter')
      await screen.keys('Control+End')
      await screen.type('\nSold.')
      await screen.expectNoSidewaysScroll()
      await screen.press('Update Entry')
      await screen.sees('Entry updated successfully')
      await screen.sees('Sold.')
      await screen.expectNoSidewaysScroll()
    },
    async 'read the public page'() {
      await screen.open(`${origin}${projectPath.replace('/projects/', '/world/')}`)
      await screen.shows('h1', 'Bread')
      await screen.sees('Created by Ada Lovelace')
      await screen.press('Rye')
      await screen.shows('h1', 'Rye')
      await screen.shows('strong', 'rose')
    },
    async 'sign out'() {
      await screen.resize(1280, 900)
      await screen.open(`${origin}/dashboard`)
      await screen.press('User menu')
      await screen.press('Sign out')
      await screen.until('end of the session', () => localStorage.getItem('token') === null)
      await screen.sees('Get Started')
    },
  }
}

/** Runs in the page: pastes a picture by an event, because scripts may not write it to the clipboard. */
async function pastePicture() {
  const canvas = document.createElement('canvas')
  canvas.getContext('2d')?.fillRect(0, 0, 240, 160)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([blob ?? ''], 'crumb.png', { type: 'image/png' }))
  const paste = new Event('paste', { bubbles: true, cancelable: true })
  Object.defineProperty(paste, 'clipboardData', { value: clipboardData })
  document.querySelector('[aria-label=Content]')?.dispatchEvent(paste)
}

/** Runs in the page. */
function arePicturesDrawn() {
  const pictures = [...document.querySelectorAll<HTMLImageElement>('main img:not(.media-blur)')]
  for (const picture of pictures) picture.scrollIntoView()
  return pictures.filter(({ naturalWidth }) => naturalWidth > 0).length === 2
}
