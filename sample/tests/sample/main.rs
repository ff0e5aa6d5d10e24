//! Tests of the sample data source on real databases.

#![cfg(test)]

mod cluster;
mod command;
mod dataset;
mod pack;
mod pack_file;
mod postgres;
