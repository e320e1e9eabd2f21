/**
 * The viewer at four widths: nothing wider than the screen, no control cut off or over another one, axe clean, and the
 * first finding within three keys.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { skippable } from '../skip-reasons.ts'
import { eventually, launch, missing, openFile, openPage, staticPage, violations } from './browser.ts'
import { broken, claudeCode } from './samples.ts'

/** The last one is a screen of 1440 pixels at a zoom of 200 %. */
const screens = [
  [1440, 900],
  [1024, 768],
  [390, 844],
  [720, 450],
] as const

const CONTROLS = '.top a, .top button, .toolbar button, .toolbar select, .toolbar input, .tabs button, .actions button'

/** Controls that are cut off at the right, or lie over another one; and whether the page scrolls sideways. */
function misplaced(page: Page): Promise<readonly string[]> {
  return page.evaluate((selector) => {
    const wide = document.documentElement.clientWidth
    const shown = [...document.querySelectorAll<HTMLElement>(selector)]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
    const nameOf = ({ element }: (typeof shown)[number]) => element.textContent?.trim() || element.ariaLabel || '?'
    const isScrolled = (element: HTMLElement) => element.closest('.tabs') !== null
    const cut = shown.filter(({ element, box }) => !isScrolled(element) && (box.right > wide + 1 || box.left < -1))
    const over = shown.flatMap((one, i) =>
      shown.slice(i + 1).filter(({ element, box }) => {
        const [x, y] = [
          Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left),
          Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top),
        ]
        return x > 2 && y > 2 && !isScrolled(element)
      }),
    )
    const sideways =
      document.documentElement.scrollWidth > wide ? [`the page is ${document.documentElement.scrollWidth} wide`] : []
    const rows = [
      ...document.querySelectorAll<HTMLElement>(
        '.row .side, .panel-scroll, .numbers-line, .verdict-pill, .home, .page',
      ),
    ]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.className} scrolls sideways`)
    return [
      ...sideways,
      ...rows,
      ...cut.map((one) => `cut: ${nameOf(one)}`),
      ...over.map((one) => `over: ${nameOf(one)}`),
    ]
  }, CONTROLS)
}

describe.skipIf(missing)(skippable('the layout of the viewer', missing), () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof staticPage>>
  beforeAll(async () => {
    site = await staticPage()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  it.each(screens)('%i × %i', async (width, height) => {
    const { page, faults } = await openPage(browser, site.url)
    await page.setViewportSize({ width, height })
    expect(await misplaced(page)).toEqual([])
    await openFile(page, 'a-session-with-a-rather-long-name-2026-05-01T10-00-00.jsonl', claudeCode())
    await eventually(() => page.locator('.row .facts').first().textContent()).toContain('2026')
    await eventually(() => page.locator('.row').count()).toBeGreaterThan(2)
    expect(await misplaced(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('p')
    await page.keyboard.press('s')
    await page.waitForSelector('.sides')
    for (const [key, content] of [
      ['1', '.actions'],
      ['2', '.window'],
      ['3', '.panel .numbers'],
      ['4', '.compared'],
      ['5', 'textarea'],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForSelector(content)
      expect([key, ...(await misplaced(page))]).toEqual([key])
    }
    expect(await violations(page)).toEqual([])
    await page.evaluate(() => {
      location.hash = '#/explain'
    })
    await page.waitForSelector('.page textarea')
    expect(await misplaced(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    expect(faults).toEqual([])
  })

  it('the first finding has the focus after two keys', async () => {
    const { page } = await openPage(browser, site.url)
    await openFile(page, 'broken.json', JSON.stringify(broken))
    await page.keyboard.press('Tab')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the first finding')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe('1')
    await eventually(() => page.getAttribute('.row.active', 'data-row')).toBe('1')
    expect(new URL(page.url()).hash).not.toContain('content')
  })

  it('a page without findings has a link to its content', async () => {
    const { page } = await openPage(browser, site.url)
    await page.keyboard.press('Tab')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })
})
