"""Players, matches and tournaments, in the process or over the network."""

from typing import TYPE_CHECKING

from kibitz.lazy import lazy_exports

if TYPE_CHECKING:
    from kibitz.play.agents.agent import (
        Agent as Agent,
        MatchSoFar as MatchSoFar,
        RandomAgent as RandomAgent,
    )
    from kibitz.play.agents.agent_names import is_address as is_address, make_agent as make_agent
    from kibitz.play.agents.foreign_agents import (
        foreign_agent as foreign_agent,
        is_foreign as is_foreign,
    )
    from kibitz.play.agents.guided_agent import GuidedAgent as GuidedAgent
    from kibitz.play.agents.learned_agents import (
        DepthAgent as DepthAgent,
        LearnedAgent as LearnedAgent,
        TreeAgent as TreeAgent,
    )
    from kibitz.play.agents.plain_agents import (
        CarefulAgent as CarefulAgent,
        StrategyAgent as StrategyAgent,
    )
    from kibitz.play.agents.search_agents import (
        AutoAgent as AutoAgent,
        OptimalAgent as OptimalAgent,
        SearchAgent as SearchAgent,
    )
    from kibitz.play.block_matches import (
        FEW as FEW,
        AgentPolicy as AgentPolicy,
        agent_policy as agent_policy,
        play_in_blocks as play_in_blocks,
    )
    from kibitz.play.casual import CasualMatch as CasualMatch, MadeMove as MadeMove
    from kibitz.play.match import (
        Clocks as Clocks,
        Match as Match,
        MatchStep as MatchStep,
        NoClock as NoClock,
        describe_moves as describe_moves,
        moves_meant as moves_meant,
        play_match as play_match,
    )
    from kibitz.play.opponents import (
        EstimatedMove as EstimatedMove,
        Estimator as Estimator,
        ask_agent as ask_agent,
        pick_by_edges as pick_by_edges,
        pick_by_value as pick_by_value,
        pick_trap as pick_trap,
    )
    from kibitz.play.protocol.messages import host_name as host_name
    from kibitz.play.protocol.player import Player as Player, serve_player as serve_player
    from kibitz.play.protocol.remote import RemoteAgent as RemoteAgent, Scrambler as Scrambler
    from kibitz.play.ratings import (
        LADDER_OF_LEVELS as LADDER_OF_LEVELS,
        RATINGS as RATINGS,
        Rating as Rating,
        agent_rated as agent_rated,
        fit_ratings as fit_ratings,
        pair_results as pair_results,
        rating_text as rating_text,
    )
    from kibitz.play.review import (
        DoubtfulMove as DoubtfulMove,
        Review as Review,
        ReviewedMove as ReviewedMove,
        review_match as review_match,
    )
    from kibitz.play.search.plan_search import MovePlan as MovePlan, Planner as Planner
    from kibitz.play.search.tree_search import (
        Option as Option,
        TreeSearch as TreeSearch,
    )
    from kibitz.play.search.turn_search import (
        TurnSearch as TurnSearch,
        make_search as make_search,
        warm_up as warm_up,
    )
    from kibitz.play.search.uct import UctAgent as UctAgent
    from kibitz.play.tournament import (
        Score as Score,
        play_matches as play_matches,
        play_tournament as play_tournament,
        plot_scores as plot_scores,
        score as score,
        seatings as seatings,
        spread_tournament as spread_tournament,
    )

__getattr__ = lazy_exports(__name__)
