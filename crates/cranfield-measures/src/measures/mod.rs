//! One file per measure, and the list of all measures.
//!
//! To add a measure, write its file, then add its `mod` line and its entry in [`MEASURES`].

#![allow(
    clippy::unnecessary_wraps,
    reason = "every `build` has the signature of `MeasureInfo::build`, even if it cannot fail"
)]
#![allow(
    clippy::doc_markdown,
    reason = "headers are reference pages, in which measures are named without code markup"
)]
#![allow(
    clippy::manual_midpoint,
    reason = "formulas follow the notation of their documentation"
)]

use cranfield_core::measure::MeasureInfo;

pub use rank_profile::rank_profile;

mod blended;
mod boards;
mod cascade;
#[cfg(test)]
mod claims_tests;
pub(crate) mod common;
mod completed;
mod counts;
pub(crate) mod discount;
pub(crate) mod gain_model;
pub(crate) mod interpolation;
#[cfg(test)]
mod ntcireval_tests;
#[cfg(test)]
pub(crate) mod registry_tests;
#[cfg(test)]
mod seeds_tests;
#[cfg(test)]
pub(crate) mod tests;

mod accuracy;
mod ap;
mod asl;
mod avgjg;
mod bin_g;
mod bpref;
mod cg;
mod compat;
mod cwl;
mod dcg;
mod diversity;
mod e;
mod err;
mod esl;
mod f;
mod f_alpha;
mod fallout;
mod frustration;
mod g;
mod gap;
mod gen_precision;
mod gen_recall;
mod gm_bpref;
mod gmap;
mod hits;
mod hole;
mod iap;
mod idcg;
mod inf_ap;
mod iprec;
mod judged;
mod known;
mod last_rel;
mod ncg;
mod ncu;
mod ndcg;
mod ndcg_rel;
mod nerr;
mod norm_precision;
mod norm_recall;
mod num_non_rel_judged_ret;
mod num_non_rel_missed;
mod num_non_rel_ret;
mod num_q;
mod num_rel;
mod num_rel_missed;
mod num_rel_ret;
mod num_ret;
mod o_measure;
mod p_measure;
mod p_plus;
mod precision;
mod prefs;
mod q;
mod rank_profile;
mod rbp;
mod rbp_residual;
mod recall;
mod rel_p;
mod rel_string;
mod relative_relevance;
mod rhl;
mod rndcg;
mod rprec;
mod rprec_mult;
mod rr;
mod run_id;
mod sampled;
mod satisfaction;
mod sdcg;
mod session;
mod set_ap;
mod set_f;
mod set_p;
mod set_r;
mod set_rel_p;
mod sft;
mod sliding_ratio;
mod success;
mod unjudged;
mod utility;
mod wss;
mod yaap;

/// Every measure, in case-insensitive alphabetical order.
pub const MEASURES: &[&MeasureInfo] = &[
    &accuracy::INFO,
    &diversity::alpha_dcg::INFO,
    &diversity::alpha_ndcg::INFO,
    &ap::INFO,
    &diversity::ap::INFO,
    &avgjg::ap::INFO,
    &asl::INFO,
    &bin_g::INFO,
    &cwl::bpm::INFO,
    &cwl::bpm_dynamic::INFO,
    &bpref::INFO,
    &cg::INFO,
    &compat::INFO,
    &known::coverage::INFO,
    &cwl::cwl_ap::INFO,
    &cwl::cwl_p::INFO,
    &cwl::cwl_rbp::INFO,
    &cwl::cwl_rr::INFO,
    &cwl::cwl_tbg::INFO,
    &cwl::cwl_trap::INFO,
    &cwl::cwl_u::INFO,
    &diversity::d_ndcg::INFO,
    &diversity::d_q::INFO,
    &dcg::INFO,
    &diversity::din_ndcg::INFO,
    &diversity::din_sharp_ndcg::INFO,
    &diversity::sharp_ndcg::INFO,
    &diversity::sharp_q::INFO,
    &e::INFO,
    &err::INFO,
    &diversity::err_ia::INFO,
    &esl::INFO,
    &f::INFO,
    &fallout::INFO,
    &f_alpha::INFO,
    &frustration::INFO,
    &g::INFO,
    &gap::INFO,
    &gmap::INFO,
    &gm_bpref::INFO,
    &gen_precision::INFO,
    &gen_recall::INFO,
    &hits::INFO,
    &hole::INFO,
    &iap::INFO,
    &idcg::INFO,
    &cwl::ift::INFO,
    &inf_ap::INFO,
    &sampled::inf_ndcg::INFO,
    &cwl::insq::INFO,
    &cwl::inst::INFO,
    &sampled::i_num_rel::INFO,
    &sampled::i_num_rel_ret::INFO,
    &sampled::i_precision::INFO,
    &iprec::INFO,
    &judged::INFO,
    &last_rel::INFO,
    &ncg::INFO,
    &ncu::INFO,
    &ndcg::INFO,
    &ndcg_rel::INFO,
    &nerr::INFO,
    &cwl::nerr10::INFO,
    &cwl::nerr11::INFO,
    &cwl::nerr8::INFO,
    &cwl::nerr9::INFO,
    &diversity::nerr_ia::INFO,
    &diversity::nnrbp::INFO,
    &norm_precision::INFO,
    &norm_recall::INFO,
    &known::novelty::INFO,
    &cwl::npv::INFO,
    &diversity::nrbp::INFO,
    &session::ns_dcg::INFO,
    &num_non_rel_judged_ret::INFO,
    &num_non_rel_missed::INFO,
    &num_non_rel_ret::INFO,
    &prefs::num_prefs::INFO,
    &prefs::num_prefs_ful::INFO,
    &prefs::num_prefs_ful_ret::INFO,
    &num_q::INFO,
    &num_rel::INFO,
    &num_rel_missed::INFO,
    &num_rel_ret::INFO,
    &num_ret::INFO,
    &o_measure::INFO,
    &precision::INFO,
    &diversity::precision::INFO,
    &avgjg::precision::INFO,
    &p_measure::INFO,
    &p_plus::INFO,
    &diversity::p_plus_q::INFO,
    &diversity::p_plus_q_sharp::INFO,
    &prefs::pref_avgjg::INFO,
    &prefs::pref_avgjg_imp::INFO,
    &prefs::pref_avgjg_ret::INFO,
    &prefs::pref_avgjg_rnonrel::INFO,
    &prefs::pref_avgjg_rnonrel_ret::INFO,
    &prefs::pref_pair::INFO,
    &prefs::pref_pair_imp::INFO,
    &prefs::pref_pair_ret::INFO,
    &prefs::pref_simp::INFO,
    &prefs::pref_simp_imp::INFO,
    &prefs::pref_simp_ret::INFO,
    &q::INFO,
    &recall::INFO,
    &rbp::INFO,
    &rbp_residual::INFO,
    &known::recall_effort::INFO,
    &known::relative_recall::INFO,
    &relative_relevance::INFO,
    &rel_p::INFO,
    &rel_string::INFO,
    &rhl::INFO,
    &rndcg::INFO,
    &rprec::INFO,
    &rprec_mult::INFO,
    &avgjg::rprec_mult::INFO,
    &rr::INFO,
    &run_id::INFO,
    &satisfaction::INFO,
    &sdcg::INFO,
    &session::session_dcg::INFO,
    &cwl::set::INFO,
    &set_ap::INFO,
    &set_f::INFO,
    &set_p::INFO,
    &set_r::INFO,
    &set_rel_p::INFO,
    &sft::INFO,
    &sliding_ratio::INFO,
    &sampled::stat_ap::INFO,
    &sampled::stat_num_rel::INFO,
    &sampled::stat_precision::INFO,
    &diversity::st_recall::INFO,
    &success::INFO,
    &cwl::tbg::INFO,
    &cwl::u_measure::INFO,
    &unjudged::INFO,
    &utility::INFO,
    &wss::INFO,
    &sampled::xinf_ap::INFO,
    &yaap::INFO,
];
