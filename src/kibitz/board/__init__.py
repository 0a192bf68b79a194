"""Draw states as boards from rules alone: text, SVG, PNG, TikZ, HTML, Markdown and JSON."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.board.drawing.marks import (
        Mark as Mark,
        Style as Style,
        decisive_cells as decisive_cells,
        mark_fluent as mark_fluent,
        mark_move as mark_move,
        mark_values as mark_values,
    )
    from kibitz.board.drawing.picture import (
        THEME as THEME,
        Circle as Circle,
        Figure as Figure,
        Label as Label,
        LineShape as LineShape,
        Picture as Picture,
        Rect as Rect,
        Shape as Shape,
        ShapeGroup as ShapeGroup,
        in_a_column as in_a_column,
        in_rows as in_rows,
        on_paper as on_paper,
        text_width as text_width,
    )
    from kibitz.board.drawing.pieces import COLOURS as COLOURS, is_blank as is_blank
    from kibitz.board.drawing.position import (
        arrange as arrange,
        board_lines as board_lines,
        cell_text as cell_text,
        text_board as text_board,
    )
    from kibitz.board.drawing.state_picture import (
        draw_in_notebooks as draw_in_notebooks,
        picture_of as picture_of,
        picture_of_board as picture_of_board,
        picture_of_caption as picture_of_caption,
        svg_board as svg_board,
    )
    from kibitz.board.drawing.stencil import (
        picture_of_stencil as picture_of_stencil,
        svg_stencil as svg_stencil,
        text_stencil as text_stencil,
    )
    from kibitz.board.formats.files import (
        FORMATS as FORMATS,
        MatchMoment as MatchMoment,
        dot_lines as dot_lines,
        dot_text as dot_text,
        dot_tree as dot_tree,
        export as export,
        export_match as export_match,
        match_text as match_text,
        play_through as play_through,
        write_picture as write_picture,
    )
    from kibitz.board.formats.position_text import (
        BoardView as BoardView,
        layout_json as layout_json,
        position_json as position_json,
        read_position as read_position,
        view_of as view_of,
    )
    from kibitz.board.formats.svg import (
        escape as escape,
        pages_to_pdf as pages_to_pdf,
        to_png as to_png,
        to_svg as to_svg,
    )
    from kibitz.board.formats.tikz import to_latex as to_latex, to_tikz as to_tikz
    from kibitz.board.layout.detection import layout_of as layout_of, use_layout as use_layout
    from kibitz.board.layout.layout import (
        Board as Board,
        Cell as Cell,
        CellRef as CellRef,
        FluentPlace as FluentPlace,
        Gesture as Gesture,
        Layout as Layout,
        turn_layout as turn_layout,
    )
    from kibitz.board.layout.list_boards import count_of as count_of
    from kibitz.board.layout.override import (
        Override as Override,
        apply_override as apply_override,
        board_file as board_file,
        file_beside as file_beside,
        read_override as read_override,
        read_toml as read_toml,
    )
    from kibitz.board.layout.survey import (
        Survey as Survey,
        chains_of as chains_of,
        look_at as look_at,
        owner_of as owner_of,
        owners_of as owners_of,
    )

__getattr__ = lazy_exports(__name__)
