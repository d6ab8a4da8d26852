"""Files with one link each, as the libraries write them that people's programs use: python-docx, openpyxl, XlsxWriter,
odfpy, PyPDF2, icalendar, vobject.

As a script it writes them into the folder given and prints name and link of each with a tab; where the modules are found
is the caller's matter."""
import datetime
import sys
from pathlib import Path

import docx
import icalendar
import openpyxl
import PyPDF2
import vobject
import xlsxwriter
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from odf.draw import Frame, Page, TextBox
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText
from odf.style import MasterPage, PageLayout
from odf.table import Table, TableCell, TableRow
from odf.text import A, P
from openpyxl.comments import Comment

ROUNDS = 10


def docx_link(file, url):
    document = docx.Document()
    paragraph = document.add_paragraph("Pay your invoice ")
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    link.append(paragraph.add_run("here")._r)
    paragraph._p.append(link)
    document.save(file)


def docx_text(file, url):
    document = docx.Document()
    document.add_heading("Invoice")
    document.add_paragraph("Pay at ").add_run(url).bold = True
    document.save(file)


def docx_header(file, url):
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = f"See {url} for more"
    document.save(file)


def docx_table(file, url):
    document = docx.Document()
    document.add_table(2, 2).cell(1, 1).text = url
    document.save(file)


def docx_properties(file, url):
    document = docx.Document()
    document.core_properties.comments = f"from {url}"
    document.save(file)


def xlsx_link(file, url):
    book = openpyxl.Workbook()
    book.active["A1"] = "invoice"
    book.active["A1"].hyperlink = url
    book.save(file)


def xlsx_formula(file, url):
    book = openpyxl.Workbook()
    book.active["B2"] = f'=HYPERLINK("{url}","invoice")'
    book.save(file)


def xlsx_text(file, url):
    book = openpyxl.Workbook()
    book.active["C3"] = f"pay at {url}"
    book.save(file)


def xlsx_comment(file, url):
    book = openpyxl.Workbook()
    book.active["A1"].comment = Comment(f"see {url}", "x")
    book.save(file)


def written_link(file, url):
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet().write_url("A1", url, string="invoice")


def written_box(file, url):
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet().insert_textbox("A1", "invoice", {"url": url})


def odt_link(file, url):
    document = OpenDocumentText()
    paragraph = P(text="Pay ")
    paragraph.addElement(A(href=url, text="here"))
    document.text.addElement(paragraph)
    document.save(file)


def ods_link(file, url):
    document = OpenDocumentSpreadsheet()
    table, row, cell, paragraph = Table(name="t"), TableRow(), TableCell(), P()
    paragraph.addElement(A(href=url, text="here"))
    for outer, inner in ((cell, paragraph), (row, cell), (table, row), (document.spreadsheet, table)):
        outer.addElement(inner)
    document.save(file)


def odp_link(file, url):
    document = OpenDocumentPresentation()
    layout = PageLayout(name="l")
    document.automaticstyles.addElement(layout)
    document.masterstyles.addElement(MasterPage(name="m", pagelayoutname=layout))
    page, frame, box, paragraph = Page(masterpagename="m"), Frame(width="9cm", height="2cm"), TextBox(), P()
    paragraph.addElement(A(href=url, text="here"))
    for outer, inner in ((box, paragraph), (frame, box), (page, frame), (document.presentation, page)):
        outer.addElement(inner)
    document.save(file)


def pdf_link(file, url):
    pages = PyPDF2.PdfWriter()
    pages.add_blank_page(600, 800)
    pages.add_uri(0, url, (100, 690, 200, 720))
    pages.write(file)


def calendar(key, value, parameters=None):
    def write(file, url):
        event = icalendar.Event()
        event.add("summary", "Invoice")
        event.add("dtstart", datetime.datetime(2026, 1, 8, 9, 0))
        event.add(key, value.format(url), parameters=parameters)
        whole = icalendar.Calendar()
        whole.add_component(event)
        Path(file).write_bytes(whole.to_ical())

    return write


def card(key, value):
    def write(file, url):
        person = vobject.vCard()
        person.add("fn").value = "Jane Doe"
        person.add("n").value = vobject.vcard.Name("Doe", "Jane")
        person.add(key).value = value.format(url)
        Path(file).write_text(person.serialize())

    return write


WRITERS = {
    "link.docx": docx_link,
    "text.docx": docx_text,
    "header.docx": docx_header,
    "table.docx": docx_table,
    "properties.docx": docx_properties,
    "link.xlsx": xlsx_link,
    "formula.xlsx": xlsx_formula,
    "text.xlsx": xlsx_text,
    "comment.xlsx": xlsx_comment,
    "written.xlsx": written_link,
    "box.xlsx": written_box,
    "link.odt": odt_link,
    "link.ods": ods_link,
    "link.odp": odp_link,
    "link.pdf": pdf_link,
    "url.ics": calendar("url", "{}"),
    "text.ics": calendar("description", "Please pay your invoice, it is late, at {}\nThank you"),
    "page.ics": calendar("x-alt-desc", "<html><body>Please pay <a href='{}'>here</a></body></html>", {"fmttype": "text/html"}),
    "url.vcf": card("url", "{}"),
    "note.vcf": card("note", "Call me, or look at my page, which is new: {}"),
}

if __name__ == "__main__":
    for turn in range(ROUNDS):
        for kind, write in WRITERS.items():
            address = f"http://f{turn}-{kind.replace('.', '-')}.example/pay/{turn}?a=1&b=2"
            name = f"{turn}-{kind}"
            write(str(Path(sys.argv[1]) / name), address)
            print(name, address, sep="\t")
